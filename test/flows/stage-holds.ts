import type { FaultRule } from '../../landscape/control/faults.ts';
import type { ShootFate } from '../../landscape/garden/shoot-fates.ts';
import type { GkeFate } from '../../landscape/gke/gke-fates.ts';
import type { OperationKind } from '../../src/domain/operation.ts';
import type { Life, Subject } from './lives.ts';

type Fate = ShootFate | GkeFate;

/** How the outside world keeps an operation in a stage. */
export interface StageHold {
  readonly stage: string;
  /** Requests for this Runtime alone without which the stage cannot end. */
  requests?(subject: Subject): Omit<FaultRule, 'action'>;
  /** Where the stage has none: requests of the one before, that it cannot end without. */
  before?(subject: Subject): Omit<FaultRule, 'action'>;
  /** How many of those a retry sends before it takes up that stage. */
  readonly beforeRetry?: number;
  /** What becomes of the cluster while the stage waits for it: nothing more for now, or a failure. */
  readonly stuck?: Fate;
  readonly failed?: Fate;
  /** What a cancellation in this stage tells beyond what exists. */
  tells?(subject: Subject): readonly string[];
}

const cluster = ({ name }: Subject, path: string, method?: string) =>
  ({ target: 'cluster', path: `--${name}/.*${path}`, ...(method && { method }) }) as const;
const shoot = ({ name }: Subject, method: string) =>
  ({ target: 'garden', path: `/shoots/${name}\\?(?!.*(dryRun|fieldManager=test))`, method }) as const;
const gke = ({ name }: Subject, method: string, body?: string) =>
  ({ target: 'gke', path: `/clusters/${name}$`, method, ...(body && { body }) }) as const;
const director = ({ runtimeId }: Subject, call: string) =>
  ({ target: 'director', body: `(${call}.*${runtimeId}|${runtimeId}.*${call})` }) as const;

const quota = { kind: 'failed', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] } as const;
const reconciliation = {
  stuck: { kind: 'stuck', during: 'Reconcile' },
  failed: { ...quota, during: 'Reconcile' },
} as const satisfies Partial<StageHold>;
const changed = (words: string) => ({
  tells: ({ name }: Subject) => [`cluster ${name} (gardener): ${words}`],
});
const configured = changed('goes on to change, if it was told to: machineType');

/** For those that the driver or the installer does not change. */
const bindings: StageHold = {
  stage: 'CreatingBindingsForOperators',
  requests: (subject) => cluster(subject, 'clusterrolebindings(\\?labelSelector|/administrator)'),
};
const agent: readonly StageHold[] = [
  { stage: 'ConnectRuntimeAgent', requests: (subject) => director(subject, 'requestOneTimeToken') },
  { stage: 'WaitForAgentToConnect', requests: (subject) => cluster(subject, '/compassconnections/') },
];
const kyma: readonly StageHold[] = [
  { stage: 'StartingInstallation', requests: (subject) => cluster(subject, '(?<!administrator\\d)\\?', 'PATCH') },
  { stage: 'WaitingForInstallation', requests: (subject) => cluster(subject, '/deployments', 'GET') },
];
const madeByGardener: readonly StageHold[] = [
  {
    stage: 'CreatingCluster',
    requests: ({ name }) => ({
      ...{ target: 'garden', method: 'POST', path: '/shoots\\?(?!.*dryRun)' },
      body: `"name":"${name}"`,
    }),
  },
  {
    stage: 'WaitingForClusterDomain',
    stuck: { kind: 'noSeed' },
    requests: ({ name }) => ({ target: 'director', body: `gardenerClusterName.*"${name}"` }),
  },
  {
    stage: 'WaitingForClusterCreation',
    stuck: { kind: 'stuck', during: 'Create' },
    failed: { ...quota, during: 'Create' },
  },
];
const madeByGke: readonly StageHold[] = [
  {
    stage: 'CreatingCluster',
    requests: ({ name }) => ({ target: 'gke', method: 'POST', path: '/clusters$', body: `"name":"${name}"` }),
  },
  {
    stage: 'WaitingForClusterCreation',
    stuck: { kind: 'stuck', during: 'CREATE_CLUSTER' },
    failed: { kind: 'failed', during: 'CREATE_CLUSTER' },
    requests: (subject) => gke(subject, 'GET'),
  },
];

const partly = (version: string) => ({ tells: () => [`Kyma: may be partly upgraded to ${version}`] });
const clusterUpgraded = {
  tells: () => ['the cluster may go on to change, if it was told to: kubernetesVersion'],
};
const upgradeOfShoot: readonly StageHold[] = [
  { stage: 'UpgradingCluster', requests: (subject) => shoot(subject, 'PATCH'), ...clusterUpgraded },
  { stage: 'WaitingForClusterUpgrade', ...reconciliation, ...clusterUpgraded },
];
const upgradeOfGke: readonly StageHold[] = [
  {
    stage: 'UpgradingCluster',
    requests: (subject) => gke(subject, 'PUT', 'desiredMasterVersion'),
    ...clusterUpgraded,
  },
  {
    stage: 'WaitingForClusterUpgrade',
    stuck: { kind: 'stuck', during: 'UPGRADE_MASTER' },
    requests: (subject) => gke(subject, 'PUT', 'desiredNodeVersion'),
    ...clusterUpgraded,
  },
];
const upgradeOfModules: readonly StageHold[] = [
  { stage: 'StartingUpgrade', requests: (subject) => cluster(subject, '', 'PATCH'), ...partly('1.2.0') },
  // Of what the new release does not have any more.
  { stage: 'WaitingForInstallation', requests: (subject) => cluster(subject, '', 'DELETE'), ...partly('1.2.0') },
  {
    stage: 'UpdatingUpgradeState',
    before: (subject) => cluster(subject, '/deployments', 'GET'),
    ...partly('1.2.0'),
  },
];

const reconnection: readonly StageHold[] = [
  { stage: 'CheckingConnection', requests: (subject) => cluster(subject, '/compassconnections/', 'GET') },
  {
    stage: 'ConfiguringAgent',
    requests: (subject) => director(subject, 'requestOneTimeToken'),
    tells: () => ['Runtime Agent: connected as before; its configuration may hold a new token, which it does not need'],
  },
  {
    stage: 'TriggeringReconnect',
    requests: (subject) => cluster(subject, '/compassconnections/', 'DELETE'),
    tells: () => ['Runtime Agent: connected as before; its configuration may hold a new token, which it does not need'],
  },
  {
    stage: 'WaitForAgentToConnect',
    requests: (subject) => director(subject, 'CONNECTED'),
    tells: () => ['Runtime Agent: connected anew'],
  },
];

const hibernation = (doing: string, waiting: string): readonly StageHold[] => [
  { stage: doing, requests: (subject) => shoot(subject, 'PATCH') },
  { stage: waiting, ...reconciliation },
];

const cleanup: StageHold = { stage: 'CleanupCluster', requests: (subject) => cluster(subject, 'servicecatalog') };
const unregistration: StageHold = {
  stage: 'UnregisteringRuntime',
  requests: (subject) => director(subject, 'unregisterRuntime'),
};
const uninstallation: readonly StageHold[] = [
  { stage: 'TriggerKymaUninstall', requests: (subject) => cluster(subject, '', 'DELETE') },
  // The first look asks for the removal; the next ones see how it goes.
  { stage: 'WaitingForKymaUninstall', requests: (subject) => cluster(subject, 'deployments', 'DELETE') },
];
const goneFromGardener: readonly StageHold[] = [
  { stage: 'DeprovisionCluster', requests: (subject) => shoot(subject, 'PATCH') },
  {
    stage: 'WaitForClusterDeletion',
    stuck: { kind: 'stuck', during: 'Delete' },
    failed: { kind: 'failed', during: 'Delete', codes: ['ERR_CLEANUP_CLUSTER_RESOURCES'] },
  },
];
const goneFromGke: readonly StageHold[] = [
  { stage: 'ReleasingCloudResources', requests: (subject) => cluster(subject, '/persistentvolumeclaims', 'GET') },
  { stage: 'DeprovisionCluster', requests: (subject) => gke(subject, 'DELETE') },
  { stage: 'WaitForClusterDeletion', stuck: { kind: 'stuck', during: 'DELETE_CLUSTER' } },
];

/** Every stage that a life has, in order. */
export const stageHolds: Readonly<Record<Life, Readonly<Partial<Record<OperationKind, readonly StageHold[]>>>>> = {
  gardener: {
    Provision: [...madeByGardener, bindings, ...kyma, ...agent],
    Upgrade: [...upgradeOfShoot, ...upgradeOfModules],
    UpgradeShoot: [
      { stage: 'UpdatingShoot', requests: (subject) => shoot(subject, 'PATCH'), ...configured },
      { stage: 'WaitingForShootNewVersion', stuck: { kind: 'unseen' }, ...configured },
      { stage: 'WaitingForShootUpgrade', ...reconciliation, ...configured },
      { ...bindings, ...changed('some of its administrators may have changed') },
    ],
    Hibernate: hibernation('HibernatingCluster', 'WaitForHibernation'),
    WakeUp: hibernation('WakingUpCluster', 'WaitForWakeUp'),
    ReconnectRuntime: reconnection,
    Deprovision: [cleanup, ...uninstallation, ...goneFromGardener, unregistration],
  },
  gke: {
    Provision: [...madeByGke, bindings, ...kyma, ...agent],
    Upgrade: [...upgradeOfGke, ...upgradeOfModules],
    ReconnectRuntime: reconnection,
    Deprovision: [cleanup, ...uninstallation, ...goneFromGke, unregistration],
  },
  'kyma-1': {
    Provision: [
      ...madeByGardener,
      bindings,
      ...kyma.filter(({ stage }) => stage === 'StartingInstallation'),
      { stage: 'WaitingForInstallation', before: (subject) => cluster(subject, '', 'PATCH') },
      ...agent,
    ],
    Upgrade: [
      ...upgradeOfShoot,
      {
        stage: 'StartingUpgrade',
        before: ({ name }) => ({ target: 'garden', method: 'GET', path: `/shoots/${name}(\\?|$)` }),
        ...partly('1.24.11'),
      },
      {
        stage: 'WaitingForInstallation',
        requests: (subject) => cluster(subject, '/installations/', 'GET'),
        ...partly('1.24.11'),
      },
      {
        stage: 'UpdatingUpgradeState',
        before: (subject) => cluster(subject, '/installations/', 'GET'),
        beforeRetry: 1,
        ...partly('1.24.11'),
      },
    ],
    ReconnectRuntime: reconnection,
    Deprovision: [
      cleanup,
      { stage: 'TriggerKymaUninstall', requests: (subject) => cluster(subject, '/installations/', 'PATCH') },
      { stage: 'WaitingForKymaUninstall', requests: (subject) => cluster(subject, '/installations/', 'DELETE') },
      ...goneFromGardener,
      unregistration,
    ],
  },
};

export function holdsOf(life: Life, kind: OperationKind): readonly StageHold[] {
  return stageHolds[life][kind] ?? [];
}
