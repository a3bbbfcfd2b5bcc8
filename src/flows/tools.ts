import type { RuntimeAgent } from '../agent/runtime-agent.ts';
import type { ClusterAccess } from '../clusters/cluster-access.ts';
import type { ClusterDrivers } from '../clusters/cluster-driver.ts';
import type { Director } from '../director/director.ts';
import type { Flow, Planning, Run, Step } from '../domain/flow.ts';
import type { KymaInstallers } from '../kyma/kyma-installer.ts';

/** Everything a stage may act through. */
export interface Tools {
  readonly clusters: ClusterDrivers;
  readonly access: ClusterAccess;
  readonly installers: KymaInstallers;
  readonly director: Director;
  readonly agent: RuntimeAgent;
}

export type StageRun = Run & Tools;
export type StagePlanning = Planning & Tools;
export type ProvisionerFlow = Flow<Tools>;
export type ProvisionerStep = Step<Tools>;
