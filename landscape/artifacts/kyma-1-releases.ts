import { stringify } from 'yaml';

const group = 'installer.kyma-project.io';
const namespace = 'kyma-installer';

/** A component of Kyma 1 by the name of the real one; a script plays what it brings. */
export interface KymaComponent {
  readonly name: string;
  readonly namespace: string;
}

const components: readonly KymaComponent[] = [
  { name: 'cluster-essentials', namespace: 'kyma-system' },
  { name: 'istio', namespace: 'istio-system' },
  { name: 'prometheus-operator', namespace: 'kyma-system' },
  { name: 'service-catalog', namespace: 'kyma-system' },
  { name: 'backup', namespace: 'kyma-system' },
  { name: 'compass-runtime-agent', namespace: 'compass-system' },
];

export interface KymaOneRelease {
  readonly version: string;
  readonly components: readonly KymaComponent[];
  readonly minimal: readonly string[];
  /** `kyma-installer-cluster.yaml`. */
  readonly installer: string;
  /** `tiller.yaml` of the releases that need it. */
  readonly tiller?: string;
}

/** Kyma 1 as the landscape publishes it; backups ended with 1.15. */
export const kymaOneReleases: readonly KymaOneRelease[] = [
  release('1.11.0', components),
  release('1.23.0', without('backup')),
  release('1.24.11', without('backup')),
];

function without(removed: string): readonly KymaComponent[] {
  return components.filter(({ name }) => name !== removed);
}

function release(version: string, available: readonly KymaComponent[]): KymaOneRelease {
  return {
    ...{ version, components: available },
    minimal: ['cluster-essentials', 'istio', 'compass-runtime-agent'],
    installer: installerManifest(version, available),
    ...(Number(version.split('.')[1]) <= 13 && { tiller: tillerManifest(version) }),
  };
}

/**
 * The kinds and oddities of the real manifest, in the API versions that today's clusters serve: the real one has those
 * of before Kubernetes 1.22.
 */
function installerManifest(version: string, available: readonly KymaComponent[]): string {
  const account = { kind: 'ServiceAccount', name: 'helm-certs-job-sa', namespace };
  const documents = [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'kyma-project.io/installation': '' } },
    },
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'kyma-default', namespace },
      spec: { limits: [{ type: 'Container', max: { memory: '1024Mi' }, default: { memory: '96Mi' } }] },
    },
    definition('Installation', 'installations', version),
    definition('Release', 'releases', version),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account.name, namespace } },
    installerDeployment(version),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'all-psp' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'kyma-installer' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all-psp' },
      subjects: [account],
    },
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'kyma-installer' },
      value: 1_000_000,
      description: 'For the installer.\n---\nThis line is part of the text, not a new document.\n',
    },
  ];
  const installation = {
    apiVersion: `${group}/v1alpha1`,
    kind: 'Installation',
    metadata: { name: 'kyma-installation', namespace: 'default', labels: { action: 'install' } },
    spec: { version: '0.0.1', url: '', components: available },
  };
  const text = documents.map((document) => stringify(document)).join('---\n');
  return `---\n# Kyma ${version}, written for the landscape; not the real release.\n---\n${text}---\n---\n${stringify(installation)}`;
}

/** The real definitions have neither a schema nor a status subresource. */
function definition(kind: string, plural: string, version: string) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { 'kyma-project.io/version': version } },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema }],
    },
  };
}

function installerDeployment(version: string) {
  const labels = { name: 'kyma-installer' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kyma-installer', namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: 'helm-certs-job-sa',
          containers: [{ name: 'kyma-installer-container', image: `landscape.example/kyma-installer:${version}` }],
        },
      },
    },
  };
}

function tillerManifest(version: string): string {
  const labels = { app: 'helm', name: 'tiller' };
  const metadata = { name: 'tiller', namespace: 'kube-system', labels };
  const documents = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'tiller-cluster-admin' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'tiller', namespace: 'kube-system' }],
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadata, name: 'tiller-deploy' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: 'tiller',
            containers: [{ name: 'tiller', image: 'landscape.example/tiller:v2.16.6' }],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: 'tiller-deploy' },
      spec: { selector: labels, ports: [{ name: 'tiller', port: 44134 }] },
    },
  ];
  return `# Tiller of Kyma ${version}, written for the landscape.\n${documents.map((each) => stringify(each)).join('---\n')}`;
}
