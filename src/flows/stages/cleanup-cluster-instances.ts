import { readRecords, readText } from '../../domain/json.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from '../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';

const serviceCatalog = 'servicecatalog.k8s.io/v1beta1';

export interface BrokeredServices {
  readonly instances: readonly KubernetesObject[];
  /** An instance with bindings cannot be deprovisioned. */
  readonly bindings: readonly KubernetesObject[];
}

/**
 * The instances of services whose broker's address begins with `brokerPrefix`, and their bindings, in all namespaces.
 * Undefined when the cluster does not serve the API of the service catalog.
 */
export async function findBrokeredServices({
  cluster,
  brokerPrefix,
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly brokerPrefix: string;
  readonly signal: AbortSignal;
}): Promise<BrokeredServices | undefined> {
  const list = (kind: string) => listKind({ cluster, kind, signal });
  const instances = await list('ServiceInstance');
  if (instances === undefined) return undefined;
  if (instances.length === 0) return { instances, bindings: [] };
  const [clusterBrokers = [], brokers = [], clusterClasses = [], classes = [], bindings = []] = await Promise.all(
    ['ClusterServiceBroker', 'ServiceBroker', 'ClusterServiceClass', 'ServiceClass', 'ServiceBinding'].map(list),
  );
  const isMeant = (broker: KubernetesObject) => readText(broker, 'spec', 'url')?.startsWith(brokerPrefix) ?? false;
  const meantBrokers = new Set([...clusterBrokers, ...brokers].filter(isMeant).map(nameOf));
  const meantClasses = new Set(
    [...clusterClasses, ...classes]
      .filter((each) => meantBrokers.has(referred(each, 'clusterServiceBrokerName', 'serviceBrokerName')))
      .map(nameOf),
  );
  const found = instances.filter((each) =>
    meantClasses.has(referred(each, ['clusterServiceClassRef', 'name'], ['serviceClassRef', 'name'])),
  );
  const names = new Set(found.map(nameOf));
  const ofFound = ({ metadata: { namespace = '' }, ...binding }: KubernetesObject) =>
    names.has(`${namespace}/${readText(binding, 'spec', 'instanceRef', 'name')}`);
  return { instances: found, bindings: bindings.filter(ofFound) };
}

/** Asks for the deletion of what is not being deleted yet. Bindings go first, as nothing else lets go of an instance. */
export async function deleteBrokeredServices({
  cluster,
  services: { instances, bindings },
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly services: BrokeredServices;
  readonly signal: AbortSignal;
}): Promise<void> {
  for (const objects of [bindings, instances]) {
    await Promise.all(
      objects.map(async ({ kind, metadata: { name = '', namespace = '', uid, deletionTimestamp } }) => {
        if (deletionTimestamp !== undefined) return;
        const resource: ResourceKind = { apiVersion: serviceCatalog, plural: plurals[kind] ?? '', namespaced: true };
        await cluster.delete({ ...resource, name, namespace }, { ...(uid !== undefined && { uid }), signal });
      }),
    );
  }
}

/** Such as `shop/database (the broker answers 500)`. */
export function describeInstance(instance: KubernetesObject): string {
  const unmet = readRecords(instance, 'status', 'conditions').find(({ status }) => status === 'False');
  const words = readText(unmet, 'message') ?? readText(unmet, 'reason');
  return `${nameOf(instance)}${words ? ` (${words.slice(0, 200)})` : ''}`;
}

const plurals: Readonly<Record<string, string>> = {
  ServiceInstance: 'serviceinstances',
  ServiceBinding: 'servicebindings',
};

/** Undefined when the kind is not served: not every version of the service catalog has those of a namespace. */
async function listKind({
  cluster,
  kind,
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly kind: string;
  readonly signal: AbortSignal;
}): Promise<readonly KubernetesObject[] | undefined> {
  const served = await cluster.discover(serviceCatalog, kind, { signal });
  if (served === undefined) return undefined;
  try {
    const { items } = await cluster.list(served, { signal });
    // Some servers leave out of lists what all items have in common.
    return items.map((item) => ({ ...item, apiVersion: serviceCatalog, kind }));
  } catch (error) {
    // It is remembered as served, and has gone since.
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
}

type Path = string | readonly string[];

/** What an object refers to: another one of the cluster, or of its own namespace; as `nameOf` would say. */
function referred({ metadata, spec }: KubernetesObject, clusterWide: Path, namespaced: Path): string {
  const global = readText(spec, ...[clusterWide].flat());
  if (global !== undefined) return global;
  const own = readText(spec, ...[namespaced].flat());
  return own === undefined ? '' : `${metadata.namespace}/${own}`;
}

function nameOf({ metadata: { namespace, name = '' } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
