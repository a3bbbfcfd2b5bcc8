/** A value encoded by ASN.1's distinguished encoding rules, as certificates are. */
export type Der = Buffer;

function tagged(tag: number, content: Buffer): Der {
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff);
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

export function sequence(...items: readonly Der[]): Der {
  return tagged(0x30, Buffer.concat(items));
}

export function set(...items: readonly Der[]): Der {
  return tagged(0x31, Buffer.concat(items));
}

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Der {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const significant = Buffer.from(bytes.subarray(start));
  const isNegative = ((significant[0] ?? 0) & 0x80) !== 0;
  return tagged(0x02, isNegative ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

export function boolean(value: boolean): Der {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]));
}

export function octetString(content: Buffer): Der {
  return tagged(0x04, content);
}

/** `unusedBits` of the last byte do not count. */
export function bitString(content: Buffer, unusedBits = 0): Der {
  return tagged(0x03, Buffer.concat([Buffer.from([unusedBits]), content]));
}

export function utf8String(text: string): Der {
  return tagged(0x0c, Buffer.from(text, 'utf8'));
}

/** A dotted object identifier such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** Whole seconds, UTC; in the form that certificates demand for the year. */
export function time(date: Date): Der {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  const isUtcTime = date.getUTCFullYear() < 2050;
  return tagged(isUtcTime ? 0x17 : 0x18, Buffer.from(isUtcTime ? digits.slice(2) : digits, 'ascii'));
}

/** A context-specific tag around other values. */
export function explicit(tag: number, content: Der): Der {
  return tagged(0xa0 | tag, content);
}

/** A context-specific tag in place of the value's own. */
export function implicit(tag: number, content: Buffer): Der {
  return tagged(0x80 | tag, content);
}
