import { stringify } from 'yaml';
import { compareVersions } from '../garden/versions.ts';
import { openDefinition } from '../runtime-cluster/ensure.ts';

/** A Kyma module as the landscape publishes it: names are those of the real one, the content is ours. */
export interface ModuleDefinition {
  readonly name: string;
  readonly kind: string;
  readonly plural: string;
  readonly version: 'v1alpha1' | 'v1alpha2';
  readonly resourceName: string;
  /** Absent: the resource is cluster-scoped. */
  readonly resourceNamespace?: string;
  readonly manager: string;
  readonly requires: readonly string[];
  readonly manifestFile: string;
  readonly resourceFile: string;
  readonly specProperties: Readonly<Record<string, object>>;
  readonly defaultSpec: Readonly<Record<string, unknown>>;
  /** How the catalogue maps confidential entries of its configuration. */
  readonly confidential?: readonly object[];
  /** From this version on its manifest lacks what it had before, and has something else. */
  readonly leanerSince?: string;
  /** A definition that only the versions before `leanerSince` bring. */
  readonly formerDefinition?: { readonly group: string; readonly kind: string; readonly plural: string };
}

export const group = 'operator.kyma-project.io';
export const namespace = 'kyma-system';

const text = { type: 'string' };

export const moduleDefinitions: readonly ModuleDefinition[] = [
  {
    name: 'istio',
    kind: 'Istio',
    plural: 'istios',
    version: 'v1alpha2',
    resourceName: 'default',
    resourceNamespace: namespace,
    manager: 'istio-controller-manager',
    requires: [],
    manifestFile: 'istio-manager.yaml',
    resourceFile: 'istio-default-cr.yaml',
    specProperties: {
      compatibilityMode: { type: 'boolean' },
      config: {
        type: 'object',
        properties: {
          numTrustedProxies: { type: 'integer', minimum: 0 },
          gatewayExternalTrafficPolicy: text,
          telemetry: {
            type: 'object',
            properties: { metrics: { type: 'object', properties: { prometheusMerge: { type: 'boolean' } } } },
          },
        },
      },
    },
    defaultSpec: {},
    leanerSince: '1.12.0',
  },
  {
    name: 'application-connector',
    kind: 'ApplicationConnector',
    plural: 'applicationconnectors',
    version: 'v1alpha1',
    resourceName: 'applicationconnector-sample',
    resourceNamespace: namespace,
    manager: 'application-connector-controller-manager',
    requires: ['istio'],
    manifestFile: 'application-connector-manager.yaml',
    resourceFile: 'default_application_connector_cr.yaml',
    specProperties: {
      domainName: text,
      appGateway: { type: 'object', properties: { proxyTimeout: text, requestTimeout: text, logLevel: text } },
      appConnValidator: { type: 'object', properties: { logLevel: text, logFormat: text } },
    },
    defaultSpec: { domainName: '', appGateway: { proxyTimeout: '10s', requestTimeout: '10s', logLevel: 'info' } },
  },
  {
    name: 'api-gateway',
    kind: 'APIGateway',
    plural: 'apigateways',
    version: 'v1alpha1',
    resourceName: 'default',
    manager: 'api-gateway-controller-manager',
    requires: ['istio'],
    manifestFile: 'api-gateway-manager.yaml',
    resourceFile: 'apigateway-default-cr.yaml',
    specProperties: { enableKymaGateway: { type: 'boolean' } },
    defaultSpec: { enableKymaGateway: true },
  },
  {
    name: 'serverless',
    kind: 'Serverless',
    plural: 'serverlesses',
    version: 'v1alpha1',
    resourceName: 'default',
    resourceNamespace: namespace,
    manager: 'serverless-operator',
    requires: [],
    manifestFile: 'serverless-operator.yaml',
    resourceFile: 'default-serverless-cr.yaml',
    specProperties: {
      dockerRegistry: { type: 'object', properties: { enableInternal: { type: 'boolean' }, secretName: text } },
      functionRequeueDuration: text,
      healthzLivenessTimeout: text,
      targetCPUUtilizationPercentage: text,
    },
    defaultSpec: { dockerRegistry: { enableInternal: true } },
    confidential: [
      {
        ...{ name: 'serverless-external-registry', field: 'dockerRegistry.secretName' },
        keys: { 'dockerRegistry.username': 'username', 'dockerRegistry.password': 'password' },
      },
    ],
    leanerSince: '1.7.0',
    formerDefinition: { group: 'serverless.kyma-project.io', kind: 'GitRepository', plural: 'gitrepositories' },
  },
];

/** The manager's manifest: several YAML documents, in the order and with the oddities of a kustomize build. */
export function managerManifest(definition: ModuleDefinition, version: string): string {
  const documents = [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: namespace,
        labels: { 'istio-injection': 'enabled', 'app.kubernetes.io/managed-by': 'kustomize' },
      },
    },
    customResourceDefinition(definition, version),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta(definition, version, definition.manager) },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: clusterMeta(definition, version, `${definition.manager}-role`),
      rules: [
        {
          apiGroups: [group],
          resources: [definition.plural, `${definition.plural}/status`, `${definition.plural}/finalizers`],
          verbs: ['*'],
        },
        { apiGroups: ['', 'apps', 'apiextensions.k8s.io'], resources: ['*'], verbs: ['*'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: clusterMeta(definition, version, `${definition.manager}-rolebinding`),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${definition.manager}-role` },
      subjects: [{ kind: 'ServiceAccount', name: definition.manager, namespace }],
    },
    ...(isLeaner(definition, version) ? [metricsService(definition, version)] : former(definition, version)),
    deployment(definition, version),
  ];
  const text = documents.map((document) => stringify(document)).join('---\n');
  return `---\n# ${definition.name} ${version}, written for the landscape; not the real module.\n---\n${text}---\n`;
}

function isLeaner({ leanerSince }: ModuleDefinition, version: string): boolean {
  return leanerSince !== undefined && compareVersions(version, leanerSince) >= 0;
}

/** What a newer version may not have any more. */
function former(definition: ModuleDefinition, version: string): object[] {
  const { formerDefinition: names } = definition;
  const configuration = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: meta(definition, version, `${definition.manager}-config`),
    data: {
      version,
      // Splitting a manifest at bare `---` lines breaks on text such as this.
      'trust.pem': '-----BEGIN CERTIFICATE-----\nbGFuZHNjYXBl\n-----END CERTIFICATE-----\n---\nnot a new document\n',
    },
  };
  if (names === undefined) return [configuration];
  const { metadata, spec } = openDefinition({ ...names, version: 'v1alpha1', scope: 'Namespaced' });
  const kind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  return [{ ...kind, metadata: clusterMeta(definition, version, metadata.name), spec }, configuration];
}

function metricsService(definition: ModuleDefinition, version: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(definition, version, `${definition.manager}-metrics`),
    spec: { selector: { 'control-plane': definition.manager }, ports: [{ name: 'http', port: 8080 }] },
  };
}

export function defaultResource({
  kind,
  version,
  resourceName,
  resourceNamespace,
  defaultSpec,
  name,
}: ModuleDefinition): string {
  return stringify({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name: resourceName,
      ...(resourceNamespace ? { namespace: resourceNamespace } : {}),
      labels: { 'app.kubernetes.io/name': name },
    },
    spec: defaultSpec,
  });
}

function customResourceDefinition(definition: ModuleDefinition, version: string) {
  const { kind, plural, version: apiVersion, specProperties, resourceNamespace } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: clusterMeta(definition, version, `${plural}.${group}`),
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: resourceNamespace ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: apiVersion,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: 'State', type: 'string', jsonPath: '.status.state' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: `${kind} configures the module ${definition.name}.`,
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: { type: 'object', properties: specProperties },
                status: {
                  type: 'object',
                  properties: {
                    state: { type: 'string', enum: ['Ready', 'Processing', 'Warning', 'Error', 'Deleting'] },
                    description: { type: 'string' },
                    observedGeneration: { type: 'integer' },
                    conditions: {
                      type: 'array',
                      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
}

function deployment(definition: ModuleDefinition, version: string) {
  const labels = { 'app.kubernetes.io/name': definition.manager, 'control-plane': definition.manager };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta(definition, version, definition.manager),
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'sidecar.istio.io/inject': 'false' } },
        spec: {
          serviceAccountName: definition.manager,
          containers: [
            {
              name: 'manager',
              image: `landscape.example/kyma-project/${definition.name}-manager:${version}`,
              args: ['--leader-elect'],
              resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '500m', memory: '384Mi' } },
            },
          ],
        },
      },
    },
  };
}

function clusterMeta({ name }: ModuleDefinition, version: string, objectName: string) {
  return { name: objectName, labels: { 'kyma-project.io/module': name, 'app.kubernetes.io/version': version } };
}

function meta(definition: ModuleDefinition, version: string, objectName: string) {
  return { ...clusterMeta(definition, version, objectName), namespace };
}
