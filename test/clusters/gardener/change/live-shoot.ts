import { isDeepStrictEqual } from 'node:util';
import type { GardenerChange, GardenerOrder } from '../../../../src/clusters/gardener/gardener-order.ts';
import type { GardenerConfig, GardenerProvider } from '../../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../../src/domain/ids.ts';
import { readRecords } from '../../../../src/domain/json.ts';
import type { KubernetesObject, ResourceKind } from '../../../../src/kubernetes/kubernetes-client.ts';
import type { GardenerWorld } from '../../../contract/gardener-world.ts';
import { eventually } from '../../../harness/eventually.ts';
import { configs, newOrder } from '../orders.ts';

export const shoots: ResourceKind = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'shoots', namespaced: true };
const registrations: ResourceKind = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  plural: 'controllerregistrations',
  namespaced: false,
};
export const namespace = 'garden-dev';
export const signal = AbortSignal.timeout(300_000);

export interface LiveShoot {
  /** With the configuration that it has been given so far. */
  order: GardenerOrder;
  read(): Promise<KubernetesObject>;
  edit(patch: object): Promise<KubernetesObject>;
  change(asked: Partial<GardenerConfig>, fields?: readonly string[]): GardenerChange;
  /** Changes it, waits until Gardener is done, and answers what became different. */
  give(
    asked: Partial<GardenerConfig>,
    fields?: readonly string[],
  ): Promise<{ readonly different: Readonly<Record<string, unknown>>; readonly kept: readonly string[] }>;
  ready(since?: string): Promise<void>;
}

/** A cluster that works, made by the driver. */
export async function liveShoot(
  { driver, client }: GardenerWorld,
  provider: GardenerProvider,
  config: Partial<GardenerConfig> = {},
): Promise<LiveShoot> {
  const order = newOrder({ ...configs[provider], ...config });
  const reference = { ...shoots, namespace, name: order.cluster.name };
  await driver.create(order, newOperationId(), signal);
  const shoot: LiveShoot = {
    order,
    async read() {
      const found = await client.get(reference);
      if (!found) throw new Error('the Shoot is not there');
      return found;
    },
    edit: (patch) => client.patch(reference, patch),
    change: (asked, fields = Object.keys(asked)) => ({
      order: shoot.order,
      target: { ...shoot.order.cluster.config, ...asked },
      fields,
    }),
    async give(asked, fields) {
      const before = await shoot.read();
      const change = shoot.change(asked, fields);
      const { problems, target, kept } = await driver.checkChange(change, signal, { mustAnswer: true });
      if (problems.length > 0) throw new Error(`refused: ${JSON.stringify(problems)}`);
      const begun = await driver.change(change, newOperationId(), signal);
      await shoot.ready(begun.revision);
      shoot.order = { ...shoot.order, cluster: { ...shoot.order.cluster, config: target } };
      if (!isDeepStrictEqual(kept, begun.kept)) throw new Error(`kept ${kept} at first, then ${begun.kept}`);
      return { different: differences(ofOthers(before), ofOthers(await shoot.read())), kept };
    },
    async ready(since) {
      await eventually('the cluster to be ready', async () => {
        const seen = await driver.observe(shoot.order, signal, { since });
        return seen.state === 'ready' || seen.state === 'hibernated';
      });
    },
  };
  await shoot.ready();
  return shoot;
}

/** What an operator, Gardener and other tools do to a Shoot beside us. */
export async function meddle(world: GardenerWorld, shoot: LiveShoot): Promise<void> {
  const extension = {
    apiVersion: registrations.apiVersion,
    kind: 'ControllerRegistration',
    metadata: { name: 'registry-cache' },
    spec: { resources: [{ kind: 'Extension', type: 'registry-cache', primary: true }] },
  };
  if (!(await world.client.get({ ...registrations, name: 'registry-cache' })))
    await world.client.create(registrations, extension);
  const live = await shoot.read();
  const [pool] = readRecords(live, 'spec', 'provider', 'workers');
  const ours = { ...pool, labels: { operator: 'was-here' }, taints: [{ key: 'a', effect: 'NoSchedule' }] };
  await shoot.edit({
    metadata: { annotations: { 'operator.example/note': 'keep' }, labels: { team: 'operators' } },
    spec: {
      hibernation: { schedules: [{ start: '00 20 * * *', location: 'Europe/Berlin' }] },
      maintenance: { timeWindow: { begin: '030000+0000', end: '040000+0000' } },
      kubernetes: { kubeAPIServer: { defaultNotReadyTolerationSeconds: 120 } },
      extensions: [
        { type: 'registry-cache', providerConfig: { caches: [{ upstream: 'docker.io' }] } },
        ...readRecords(live, 'spec', 'extensions'),
      ],
      provider: { workers: [{ ...pool, name: 'operators-pool', minimum: 1, maximum: 3 }, ours] },
    },
  });
  await shoot.ready(`${live.metadata.uid}/${(live.metadata.generation ?? 0) + 1}`);
}

/** Without what Gardener's clockwork and our own mark make different with every write. */
function ofOthers({ metadata, spec }: KubernetesObject): object {
  const { annotations = {}, labels = {}, finalizers, ownerReferences } = metadata;
  const kept = Object.entries(annotations).filter(([name]) => !name.endsWith('/operation-id'));
  const { 'shoot.gardener.cloud/status': _, ...stable } = labels;
  return { metadata: { annotations: Object.fromEntries(kept), labels: stable, finalizers, ownerReferences }, spec };
}

/** Path and new value of each leaf that differs. Pools of nodes go by their names. */
function differences(before: unknown, after: unknown, path = ''): Readonly<Record<string, unknown>> {
  if (isDeepStrictEqual(before, after)) return {};
  const [old, now] = [asFields(before), asFields(after)];
  if (!old || !now) return { [path]: after };
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const below = names.map((name) => differences(old[name], now[name], path === '' ? name : `${path}.${name}`));
  return Object.assign({}, ...below);
}

function asFields(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return value as Record<string, unknown>;
  const named = value.map((item, index) => [item?.name ?? item?.type ?? index, item] as const);
  return value.every((item) => typeof item === 'object') ? Object.fromEntries(named) : undefined;
}
