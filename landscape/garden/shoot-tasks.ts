import type { ShootOperationType, ShootStage } from './shoot-fates.ts';

export interface ShootTask {
  readonly stage: ShootStage;
  readonly description: string;
  /** Percent done when the task begins. */
  readonly progress: number;
}

const build: readonly ShootTask[] = [
  { stage: 'namespace', description: 'Deploying Shoot namespace in Seed', progress: 3 },
  { stage: 'infrastructure', description: 'Waiting until shoot infrastructure has been reconciled', progress: 14 },
  { stage: 'etcd', description: 'Waiting until main and event etcd report readiness', progress: 31 },
  { stage: 'apiserver', description: 'Waiting until Kubernetes API server rolled out', progress: 52 },
  { stage: 'workers', description: 'Waiting until shoot worker nodes have been reconciled', progress: 76 },
  { stage: 'systemComponents', description: 'Waiting until shoot system components are healthy', progress: 94 },
];

/** What an operation of each type consists of. */
export const shootTasks: Readonly<Record<ShootOperationType, readonly ShootTask[]>> = {
  Create: build,
  Reconcile: build,
  Delete: [
    { stage: 'systemComponents', description: 'Cleaning shoot namespaces and resources', progress: 8 },
    { stage: 'workers', description: 'Waiting until shoot worker nodes have been terminated', progress: 34 },
    { stage: 'apiserver', description: 'Destroying Kubernetes API server', progress: 58 },
    { stage: 'infrastructure', description: 'Waiting until shoot infrastructure has been destroyed', progress: 77 },
    { stage: 'namespace', description: 'Waiting until shoot namespace in Seed has been deleted', progress: 96 },
  ],
};

export const succeededDescriptions: Readonly<Record<ShootOperationType, string>> = {
  Create: 'Shoot cluster has been successfully reconciled.',
  Reconcile: 'Shoot cluster has been successfully reconciled.',
  Delete: 'Shoot cluster has been successfully deleted.',
};
