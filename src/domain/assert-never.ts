/** Closes a switch over a union: a forgotten case does not compile, an impossible value throws. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
