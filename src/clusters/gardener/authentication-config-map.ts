import { Failure } from '../../domain/failures.ts';
import type {
  CallOptions,
  KubernetesClient,
  KubernetesObject,
  ObjectReference,
} from '../../kubernetes/kubernetes-client.ts';
import type { GardenerOrder } from './gardener-order.ts';
import { isAlreadyExists, throwRefusal } from './refusal.ts';
import { authenticationConfigMap, authenticationConfigMapName, configMapKind } from './shoot/authentication-config.ts';
import { ownerOf } from './shoot/ownership.ts';
import { asShoot, type Shoot } from './shoot/shoot.ts';

interface Place {
  readonly client: KubernetesClient;
  readonly namespace: string;
  readonly order: GardenerOrder;
}

/**
 * Makes the ConfigMap that the Shoot will name, or brings that of an earlier attempt up to date. Nothing is done for an
 * order without an issuer. Throws CLUSTER_NAME_TAKEN for somebody else's ConfigMap.
 */
export async function writeAuthenticationConfigMap(
  { client, namespace, order }: Place,
  options: CallOptions,
): Promise<void> {
  const wanted = authenticationConfigMap(order, namespace);
  if (!wanted) return;
  try {
    await client.create(configMapKind, wanted, options);
    return;
  } catch (error) {
    if (!isAlreadyExists(error)) throwRefusal(error);
  }
  const reference = referenceTo(order, namespace);
  const present = await client.get(reference, options);
  if (!present) throw new Error(`ConfigMap ${reference.name} existed a moment ago and does not any more`);
  if (!isOurs(present, order)) {
    const message = `a ConfigMap "${reference.name}", which the cluster's oidcConfig needs, belongs to somebody else`;
    throw new Failure('CLUSTER_NAME_TAKEN', message);
  }
  await client.patch(reference, { metadata: { uid: present.metadata.uid }, data: wanted.data }, options);
}

/** Lets the ConfigMap go when the Shoot goes. */
export async function bindAuthenticationConfigMap(
  { client, namespace, order }: Place,
  shoot: Shoot,
  options: CallOptions,
): Promise<void> {
  const { name = order.cluster.name, uid } = shoot.metadata;
  if (!order.cluster.config.oidcConfig || uid === undefined) return;
  const owner = { apiVersion: 'core.gardener.cloud/v1beta1', kind: 'Shoot', name, uid };
  await client.patch(referenceTo(order, namespace), { metadata: { ownerReferences: [owner] } }, options);
}

/** For an order whose Shoot is not there, and so cannot take it along. Somebody else's is left alone. */
export async function removeAuthenticationConfigMap(
  { client, namespace, order }: Place,
  options: CallOptions,
): Promise<void> {
  if (!order.cluster.config.oidcConfig) return;
  const reference = referenceTo(order, namespace);
  const present = await client.get(reference, options);
  const uid = present?.metadata.uid;
  if (present && isOurs(present, order))
    await client.delete(reference, { ...options, ...(uid !== undefined && { uid }) });
}

/** The name of the ConfigMap of this order, if it is there. */
export async function findAuthenticationConfigMap(place: Place, options: CallOptions): Promise<string | undefined> {
  if (!place.order.cluster.config.oidcConfig) return undefined;
  return (await readAuthenticationConfigMap(place, options))?.metadata.name;
}

/** That of this Runtime, whether its order needs one or not. */
export async function readAuthenticationConfigMap(
  { client, namespace, order }: Place,
  options: CallOptions,
): Promise<KubernetesObject | undefined> {
  const present = await client.get(referenceTo(order, namespace), options);
  return present && isOurs(present, order) ? present : undefined;
}

function isOurs(object: KubernetesObject, order: GardenerOrder): boolean {
  return ownerOf(asShoot(object)) === order.runtimeId;
}

function referenceTo({ cluster }: GardenerOrder, namespace: string): ObjectReference {
  return { ...configMapKind, namespace, name: authenticationConfigMapName(cluster.name) };
}
