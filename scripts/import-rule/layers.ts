/** A part of the project and what its files may import besides each other. The first layer that matches a file counts. */
export interface Layer {
  /** A folder (ends in /) or a single file. */
  readonly path: string;
  /** Folders and files of other layers; `types:` marks those of which only types may be imported. */
  readonly mayImport: readonly string[];
  /** npm packages: all of package.json's dependencies, those of the tools too, or none. */
  readonly packages: 'none' | 'dependencies' | 'all';
}

/** What the parts of the service know of the outside world: interfaces, and what belongs to them. */
const contracts = [
  'src/clusters/cluster-driver.ts',
  'src/clusters/cluster-order.ts',
  'src/clusters/cluster-lost.ts',
  'src/clusters/cluster-access.ts',
  'src/clusters/cluster-watch.ts',
  'src/clusters/describe-sleep.ts',
  'src/kyma/kyma-installer.ts',
  'src/director/director.ts',
  'src/agent/runtime-agent.ts',
] as const;

/** The readers of the environment; what a value looks like is known by the part that is configured with it. */
const configuration = [
  'src/config-shape.ts',
  'src/config-variables.ts',
  'src/domain/',
  'src/api/request-limits.ts',
  'src/db/connection-form.ts',
  'src/db/encryption.ts',
  'types:src/kubernetes/ambient-connection.ts',
  'types:src/clusters/gardener/policy/shoot-policies.ts',
] as const;

/** Arrows point at the domain; siblings never see each other; only the composition roots see everything. */
export const layers: readonly Layer[] = [
  { path: 'src/main.ts', mayImport: ['src/'], packages: 'dependencies' },
  { path: 'src/cli.ts', mayImport: ['src/'], packages: 'dependencies' },
  { path: 'src/service.ts', mayImport: ['src/'], packages: 'dependencies' },
  { path: 'src/service/', mayImport: ['src/'], packages: 'dependencies' },
  { path: 'src/config.ts', mayImport: configuration, packages: 'dependencies' },
  { path: 'src/config-shape.ts', mayImport: configuration, packages: 'none' },
  { path: 'src/config-variables.ts', mayImport: configuration, packages: 'dependencies' },
  { path: 'src/domain/', mayImport: [], packages: 'none' },
  { path: 'src/db/', mayImport: ['src/domain/'], packages: 'dependencies' },
  { path: 'src/engine/', mayImport: ['src/domain/', 'src/db/'], packages: 'dependencies' },
  { path: 'src/kubernetes/', mayImport: ['src/domain/'], packages: 'dependencies' },
  { path: 'src/clusters/', mayImport: ['src/domain/', 'src/kubernetes/'], packages: 'dependencies' },
  { path: 'src/kyma/', mayImport: ['src/domain/', 'src/kubernetes/'], packages: 'dependencies' },
  { path: 'src/director/', mayImport: ['src/domain/', 'src/kubernetes/'], packages: 'dependencies' },
  { path: 'src/agent/', mayImport: ['src/domain/', 'src/kubernetes/'], packages: 'dependencies' },
  {
    path: 'src/flows/',
    mayImport: [
      ...['src/domain/', ...contracts],
      ...['types:src/kubernetes/kubernetes-client.ts', 'src/kubernetes/kubernetes-error.ts'],
    ],
    packages: 'none',
  },
  { path: 'src/api/', mayImport: ['src/domain/', 'src/db/', 'src/engine/', ...contracts], packages: 'dependencies' },
  { path: 'src/observability/', mayImport: ['src/domain/'], packages: 'dependencies' },
  { path: 'landscape/', mayImport: [], packages: 'all' },
  { path: 'scripts/', mayImport: ['src/', 'landscape/', 'test/harness/'], packages: 'all' },
  { path: 'bench/', mayImport: ['src/', 'landscape/', 'scripts/', 'test/harness/'], packages: 'all' },
  { path: 'test/', mayImport: ['src/', 'landscape/', 'scripts/', 'bench/'], packages: 'all' },
];
