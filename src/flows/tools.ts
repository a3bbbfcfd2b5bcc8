import type { RuntimeAgent } from '../agent/runtime-agent.ts';
import type { ClusterAccess } from '../clusters/cluster-access.ts';
import type { ClusterDrivers } from '../clusters/cluster-driver.ts';
import type { Director } from '../director/director.ts';
import type { Flow, Planning, Run, Step } from '../domain/flow.ts';
import type { RuntimeId } from '../domain/ids.ts';
import type { KymaInstallation } from '../domain/kyma-config.ts';
import type { Runtime } from '../domain/runtime.ts';
import type { KymaInstallers } from '../kyma/kyma-installer.ts';

/** Everything a stage may act through. */
export interface Tools {
  readonly clusters: ClusterDrivers;
  readonly access: ClusterAccess;
  readonly installers: KymaInstallers;
  readonly director: Director;
  /** Of whose Runtimes the entries in the Director are removed when they are deprovisioned. */
  readonly unregisters: Readonly<Record<Runtime['registration'], boolean>>;
  readonly agent: RuntimeAgent;
  /** What the newest upgrade of Kyma was to bring when the Runtime does not have it: the cluster may have some of it. */
  readonly attemptedKyma: (runtimeId: RuntimeId) => Promise<KymaInstallation | undefined>;
  /** Instances of services whose broker's address begins so are removed before their cluster. */
  readonly serviceBrokerPrefix: string;
}

export type StageRun = Run & Tools;
export type StagePlanning = Planning & Tools;
export type ProvisionerFlow = Flow<Tools>;
export type ProvisionerStep = Step<Tools>;
