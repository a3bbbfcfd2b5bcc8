/** An IPv4 range: first address and length of the prefix. */
export interface Cidr {
  readonly text: string;
  readonly first: number;
  readonly prefix: number;
}

const pattern = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Undefined when the text is no IPv4 range. Host bits may be set; see `isCanonical`. */
export function parseCidr(text: string): Cidr | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, prefix = 0] = match.slice(1).map(Number);
  if ([a, b, c, d].some((octet) => octet > 255) || prefix > 32) return undefined;
  return { text, first: a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d, prefix };
}

/** The same range with no host bits set, as text. */
export function canonicalForm({ first, prefix }: Cidr): string {
  const size = 2 ** (32 - prefix);
  const network = Math.floor(first / size) * size;
  const octets = [24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256);
  return `${octets.join('.')}/${prefix}`;
}

export function overlap(one: Cidr, other: Cidr): boolean {
  return one.first < other.first + 2 ** (32 - other.prefix) && other.first < one.first + 2 ** (32 - one.prefix);
}

export function contains(outer: Cidr, inner: Cidr): boolean {
  return inner.prefix >= outer.prefix && overlap(outer, inner);
}
