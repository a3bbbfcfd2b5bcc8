/** Numbers that look random and are the same again for the same seed. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number, at least `from`, at most `upTo`. */
  between(from: number, upTo: number): number;
  chance(probability: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** Another source, the same again for the same name: what one part draws does not change what another one gets. */
  fork(name: string): Random;
}

export function seededRandom(seed: string): Random {
  let state = hash(seed);
  // Mulberry32, by Tommy Ettinger (public domain): a counter, well mixed.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, upTo: number) => from + Math.floor(next() * (upTo - from + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    fork: (name) => seededRandom(`${seed}/${name}`),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}
