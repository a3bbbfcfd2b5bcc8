/**
 * A name for a cluster whose caller gave none, as the original chose it: seven characters of a UUID, after `c-` when they
 * start with a digit. Upstream names must start with a letter and leave room for the project's name.
 */
export function generateClusterName(uuid: string = crypto.randomUUID()): string {
  const name = uuid.replaceAll('-', '').slice(0, 7).toLowerCase();
  return /^\d/.test(name) ? `c-${name}` : name;
}
