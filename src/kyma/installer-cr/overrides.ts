import { isRecord, readPath } from '../../domain/json.ts';
import type { ConfigurationEntry, KymaConfig } from '../../domain/kyma-config.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from '../../kubernetes/kubernetes-client.ts';
import { wellKnownKind } from '../modules/well-known-kinds.ts';
import { entriesOf, type InstallerPlan } from './installer-plan.ts';

/** Where the installer looks for values of charts. */
export const overridesNamespace = 'kyma-installer';
const ownLabel = { 'kcp.provisioner.kyma-project.io/managed-by': 'runtime-provisioner' };
const ownSelector = Object.entries(ownLabel).map(([key, value]) => `${key}=${value}`)[0];

type OverridesKind = 'ConfigMap' | 'Secret';
const overridesKinds = ['ConfigMap', 'Secret'] as const;

interface Overrides {
  readonly object: KubernetesObject;
  readonly kind: OverridesKind;
  /** Values of others go, too. */
  readonly replace: boolean;
}

/**
 * Makes the values of charts what is asked for: a ConfigMap for all components, one for each, and a Secret beside it for
 * what is confidential. What an installation before had, and this one does not, goes.
 */
export async function applyOverrides({
  cluster,
  plan,
  config,
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly plan: InstallerPlan;
  readonly config: KymaConfig;
  readonly signal: AbortSignal;
}): Promise<void> {
  const wanted = overridesOf(plan, config);
  for (const { object, kind, replace } of wanted) {
    const applied = await cluster.apply(object, { kind: kindOf(kind), force: true, signal });
    if (replace) await removeForeignKeys({ cluster, applied, object, kind, signal });
  }
  await removeOverrides({ cluster, keep: wanted.map(({ object }) => object), signal });
}

/** Deletes the values that this service has written, but for `keep`. Answers how many there were. */
export async function removeOverrides({
  cluster,
  keep,
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly keep: readonly KubernetesObject[];
  readonly signal: AbortSignal;
}): Promise<number> {
  let removed = 0;
  for (const kind of overridesKinds) {
    const resource = kindOf(kind);
    const options = { namespace: overridesNamespace, labelSelector: ownSelector, signal };
    const { items } = await cluster.list(resource, options);
    for (const { metadata } of items) {
      if (keep.some((object) => object.kind === kind && object.metadata.name === metadata.name)) continue;
      removed += 1;
      const reference = { ...resource, namespace: overridesNamespace, name: metadata.name ?? '' };
      await cluster.delete(reference, { signal });
    }
  }
  return removed;
}

function overridesOf(plan: InstallerPlan, config: KymaConfig): readonly Overrides[] {
  const strategyOf = (component: string) =>
    config.components.find((each) => each.component === component)?.conflictStrategy ?? config.conflictStrategy;
  return [
    ...overridesFor(undefined, config.configuration ?? [], config.conflictStrategy),
    ...plan.components.flatMap(({ name }) => overridesFor(name, entriesOf(config, name), strategyOf(name))),
  ];
}

function overridesFor(
  component: string | undefined,
  entries: readonly ConfigurationEntry[],
  strategy: KymaConfig['conflictStrategy'] = 'Merge',
): readonly Overrides[] {
  const metadata = {
    name: `${component ?? 'global'}-installer-config`,
    namespace: overridesNamespace,
    labels: {
      installer: 'overrides',
      // The installer takes for global what has no such label at all, not what has an empty one.
      ...(component !== undefined && { component }),
      'conflict-strategy': strategy,
      ...ownLabel,
    },
  };
  return overridesKinds.flatMap((kind) => {
    const own = entries.filter(({ secret }) => (secret === true) === (kind === 'Secret'));
    if (own.length === 0) return [];
    const data = Object.fromEntries(own.map(({ key, value }) => [key, kind === 'Secret' ? base64(value) : value]));
    const object = { apiVersion: 'v1', kind, metadata, ...(kind === 'Secret' && { type: 'Opaque' }), data };
    return [{ object, kind, replace: strategy === 'Replace' }];
  });
}

async function removeForeignKeys({
  cluster,
  applied,
  object,
  kind,
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly applied: KubernetesObject;
  readonly object: KubernetesObject;
  readonly kind: OverridesKind;
  readonly signal: AbortSignal;
}): Promise<void> {
  const [found, own] = [readPath(applied, 'data'), readPath(object, 'data')];
  const foreign = Object.keys(isRecord(found) ? found : {}).filter((key) => !isRecord(own) || !Object.hasOwn(own, key));
  if (foreign.length === 0) return;
  const reference = { ...kindOf(kind), namespace: overridesNamespace, name: object.metadata.name ?? '' };
  await cluster.patch(reference, { data: Object.fromEntries(foreign.map((key) => [key, null])) }, { signal });
}

function kindOf(kind: OverridesKind): ResourceKind {
  const found = wellKnownKind({ apiVersion: 'v1', kind });
  if (!found) throw new Error(`${kind} is a well-known kind`);
  return found;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
