import type { Problem } from '../../domain/failures.ts';
import type { ConfigurationEntry } from '../../domain/kyma-config.ts';

/** What Kubernetes takes as a key of a ConfigMap or a Secret. */
const keyPattern = /^[-._a-zA-Z0-9]{1,253}$/;

/**
 * Mistakes in entries that become values of charts: each key is the dotted path of a value. Two entries for one value,
 * or for a value and a part of it, would come out in any order.
 */
export function configurationProblems(entries: readonly ConfigurationEntry[], path: string): readonly Problem[] {
  return entries.flatMap(({ key }, index): readonly Problem[] => {
    const refuse = (message: string) => [
      { path: `${path}.${index}.key`, message, code: 'KYMA_COMPONENT_INVALID' as const },
    ];
    if (!keyPattern.test(key) || key.split('.').includes('')) {
      return refuse(`"${key}" is not a dotted path of chart values such as global.domainName`);
    }
    const other = entries.slice(0, index).find((earlier) => overlap(earlier.key, key));
    if (!other) return [];
    return refuse(other.key === key ? `"${key}" is set twice` : `"${key}" and "${other.key}" set the same value`);
  });
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
