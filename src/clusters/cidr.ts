/** An IPv4 range. `first` is its lowest address as a number. */
export interface Cidr {
  readonly text: string;
  readonly first: number;
  readonly prefix: number;
}

export type CidrReading = { readonly cidr: Cidr } | { readonly mistake: string };

const pattern = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Reads `10.250.0.0/22`. The mistake completes a sentence that begins with the text, and says what would be right. */
export function readCidr(text: string): CidrReading {
  const match = pattern.exec(text);
  if (!match) return { mistake: 'is not an IPv4 range such as 10.250.0.0/22' };
  const [, ...numbers] = match.map(Number);
  const [a = 0, b = 0, c = 0, d = 0, prefix = 0] = numbers;
  if ([a, b, c, d].some((octet) => octet > 255)) return { mistake: 'has a number above 255 in its address' };
  if (prefix > 32) return { mistake: 'has a prefix length above 32' };
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const cidr = rangeAround(address, prefix);
  if (cidr.text !== text) return { mistake: `is not written as the start of its range, which is ${cidr.text}` };
  return { cidr };
}

/** The range of this size that holds the address. */
export function rangeAround(address: number, prefix: number): Cidr {
  const size = sizeOf(prefix);
  const first = Math.floor(address / size) * size;
  const octets = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
  return { text: `${octets.join('.')}/${prefix}`, first, prefix };
}

export function overlaps(one: Cidr, other: Cidr): boolean {
  return contains(one, other) || contains(other, one);
}

/** True when every address of `inner` is in `outer`. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  return inner.prefix >= outer.prefix && rangeAround(inner.first, outer.prefix).first === outer.first;
}

function sizeOf(prefix: number): number {
  return 2 ** (32 - prefix);
}
