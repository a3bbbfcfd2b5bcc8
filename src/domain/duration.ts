/** Milliseconds of each unit that a Go duration may have. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 60e3,
  h: 3600e3,
};

/** Reads a duration as Go writes it (`60m`, `1h30m`, `1.5s`, `0`) into milliseconds; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return undefined;
  let milliseconds = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)([a-zµμ]+)/g)) {
    milliseconds += Number(amount) * (units[unit ?? ''] ?? Number.NaN);
  }
  return milliseconds;
}
