import type { ProvisionRuntimeInput, UpgradeRuntimeInput } from '../../src/api/generated/schema.ts';
import type { OperationKind } from '../../src/domain/operation.ts';
import { hibernateMutation, wakeUpMutation } from './hibernation-documents.ts';
import { orderOf, tutorialKyma } from './orders.ts';
import { upgradeShootMutation } from './shoot-change-documents.ts';
import { upgradeMutation } from './upgrade-documents.ts';
import type { World } from './world.ts';

/** Runtimes that differ in what their operations act through: the driver, or the installer of Kyma. */
export const lives = ['gardener', 'gke', 'kyma-1'] as const;
export type Life = (typeof lives)[number];

/** One Runtime, whose cluster and Director entry bear the same name. */
export interface Subject {
  readonly life: Life;
  readonly name: string;
  readonly runtimeId: string;
}

const newest = { kubernetesVersion: '1.35.1', kymaVersion: '1.2.0' };

/** What is asked for, so that no stage is skipped that the driver has. */
interface Orders {
  provision(name: string): ProvisionRuntimeInput;
  readonly upgrade: UpgradeRuntimeInput;
}

const kyma1 = {
  version: '1.23.0',
  components: [
    { component: 'cluster-essentials', namespace: 'kyma-system' },
    { component: 'compass-runtime-agent', namespace: 'compass-system' },
  ],
};
const administrators = ['admin@example.com'];

const orders: Readonly<Record<Life, Orders>> = {
  gardener: {
    provision: (name) => orderOf({ runtimeInput: { name }, gardenerConfig: { name }, administrators }),
    upgrade: upgradeTo(newest),
  },
  gke: {
    provision: (name) => ({
      runtimeInput: { name },
      credentials: { secretName: 'gcp-secret' },
      clusterConfig: {
        gcpConfig: { name, projectName: 'my-project', kubernetesVersion: '1.34', region: 'europe-west3-a' },
        administrators,
      },
      kymaConfig: tutorialKyma,
    }),
    upgrade: upgradeTo({ ...newest, kubernetesVersion: '1.35' }),
  },
  'kyma-1': {
    provision: (name) =>
      orderOf({ runtimeInput: { name }, gardenerConfig: { name }, administrators, kymaConfig: kyma1 }),
    upgrade: upgradeTo({ ...newest, kymaVersion: '1.24.11' }),
  },
};

function upgradeTo({ kubernetesVersion, kymaVersion }: typeof newest): UpgradeRuntimeInput {
  return { kymaConfig: { version: kymaVersion }, clusterConfig: { kubernetesVersion } };
}

const wholeLife: readonly OperationKind[] = [
  ...(['Provision', 'Upgrade', 'UpgradeShoot', 'ReconnectRuntime', 'Hibernate', 'WakeUp', 'Deprovision'] as const),
];
const onlyGardener: readonly OperationKind[] = ['UpgradeShoot', 'Hibernate', 'WakeUp'];

/** In an order in which they can follow each other. */
export const kindsOf: Readonly<Record<Life, readonly OperationKind[]>> = {
  gardener: wholeLife,
  gke: wholeLife.filter((kind) => !onlyGardener.includes(kind)),
  'kyma-1': wholeLife.filter((kind) => !onlyGardener.includes(kind)),
};

/** Sends the order for a Runtime that is not there yet. */
export async function provisionSubject({ api }: World, life: Life, name: string) {
  const { provisionRuntime } = await api.ask<{ provisionRuntime: { id: string; runtimeID: string } }>(
    'mutation ($config: ProvisionRuntimeInput!) { provisionRuntime(config: $config) { id runtimeID } }',
    { config: orders[life].provision(name) },
  );
  const { id, runtimeID: runtimeId } = provisionRuntime;
  return { id, subject: { life, name, runtimeId } satisfies Subject };
}

/** Sends the order for an operation on a Runtime that is there; answers the operation's id. */
export async function begin(
  world: World,
  kind: Exclude<OperationKind, 'Provision'>,
  { life, runtimeId: id }: Subject,
): Promise<string> {
  const ask = async (document: string, variables: object = {}) => {
    const answer = await world.api.ask<Record<string, string | { id: string }>>(document, { id, ...variables });
    const [accepted] = Object.values(answer);
    return typeof accepted === 'object' ? accepted.id : (accepted ?? '');
  };
  switch (kind) {
    case 'Upgrade':
      return ask(upgradeMutation, { config: orders[life].upgrade });
    case 'UpgradeShoot': {
      const gardenerConfig = { machineType: 'n2-standard-8' };
      return ask(upgradeShootMutation, { config: { gardenerConfig, administrators: ['other@example.com'] } });
    }
    case 'Hibernate':
      return ask(hibernateMutation);
    case 'WakeUp':
      return ask(wakeUpMutation);
    case 'ReconnectRuntime':
      return ask('mutation ($id: String!) { reconnectRuntimeAgent(id: $id) }');
    case 'Deprovision':
      return world.deprovision(id);
  }
}

/** A Runtime on which an operation of that kind can begin. */
export async function prepared(world: World, life: Life, name: string, kind: OperationKind): Promise<Subject> {
  const { id, subject } = await provisionSubject(world, life, name);
  await world.succeeded(id);
  if (kind === 'WakeUp') await world.succeeded(await begin(world, 'Hibernate', subject));
  return subject;
}
