import type { BearerTokens } from './bearer-tokens.ts';
import { type Clock, kubernetesTime } from './clock.ts';
import { customResourceDefinitionType } from './custom-resource-definition-type.ts';
import type { AdmissionRequest, KubeObject, PrinterColumn, ResourceType, SubresourceRequest } from './resource-type.ts';
import { badRequest } from './status-error.ts';

/** What every API serves: the part of Kubernetes' own types that clusters of the landscape use. */
export function coreTypes({ tokens, clock }: { tokens: BearerTokens; clock: Clock }): readonly ResourceType[] {
  const core = { group: '', version: 'v1' };
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
  const admission = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };
  return [
    {
      ...core,
      ...names('Namespace', 'namespaces', ['ns']),
      namespaced: false,
      statusSubresource: true,
      admit: admitNamespace,
      columns: [text('Status', (object) => object.status?.phase)],
      fieldSelectors: { 'status.phase': (object) => object.status?.phase ?? '' },
    },
    {
      ...core,
      ...names('Secret', 'secrets'),
      namespaced: true,
      admit: admitSecret,
      columns: [text('Type', (object) => object.type), count('Data', (object) => object.data)],
      fieldSelectors: { type: (object) => object.type ?? '' },
    },
    {
      ...core,
      ...names('ConfigMap', 'configmaps', ['cm']),
      namespaced: true,
      columns: [count('Data', (object) => ({ ...object.data, ...object.binaryData }))],
    },
    {
      ...core,
      ...names('ServiceAccount', 'serviceaccounts', ['sa']),
      namespaced: true,
      columns: [count('Secrets', (object) => object.secrets)],
      subresources: { token: tokenRequest(tokens, clock) },
    },
    { ...core, ...names('LimitRange', 'limitranges', ['limits']), namespaced: true },
    {
      ...core,
      ...names('Service', 'services', ['svc']),
      categories: ['all'],
      namespaced: true,
      statusSubresource: true,
      admit: ({ object }) => setDefaults(object, { spec: { type: 'ClusterIP', sessionAffinity: 'None' } }),
      columns: [
        text('Type', (object) => object.spec?.type),
        text('Cluster-IP', (object) => object.spec?.clusterIP ?? '<none>'),
      ],
    },
    {
      ...core,
      ...names('PersistentVolumeClaim', 'persistentvolumeclaims', ['pvc']),
      namespaced: true,
      statusSubresource: true,
      admit: ({ object }) => setDefaults(object, { status: { phase: 'Pending' } }),
      columns: [text('Status', (object) => object.status?.phase), text('Volume', (object) => object.spec?.volumeName)],
    },
    {
      ...core,
      ...names('PersistentVolume', 'persistentvolumes', ['pv']),
      namespaced: false,
      statusSubresource: true,
      columns: [text('Status', (object) => object.status?.phase)],
    },
    {
      ...core,
      ...names('Pod', 'pods', ['po']),
      categories: ['all'],
      namespaced: true,
      statusSubresource: true,
      admit: ({ object }) => setDefaults(object, { status: { phase: 'Pending' } }),
      columns: [text('Status', (object) => object.status?.phase), text('Node', (object) => object.spec?.nodeName, 1)],
      fieldSelectors: {
        'spec.nodeName': (object) => object.spec?.nodeName ?? '',
        'status.phase': (object) => object.status?.phase ?? '',
      },
    },
    {
      ...core,
      ...names('Node', 'nodes', ['no']),
      namespaced: false,
      statusSubresource: true,
      columns: [
        text('Status', (object) => (conditionStatus(object, 'Ready') === 'True' ? 'Ready' : 'NotReady')),
        text('Version', (object) => object.status?.nodeInfo?.kubeletVersion),
      ],
    },
    {
      ...core,
      ...names('Event', 'events', ['ev']),
      namespaced: true,
      columns: [
        text('Type', (object) => object.type),
        text('Reason', (object) => object.reason),
        text('Object', ({ involvedObject }) => `${involvedObject?.kind?.toLowerCase()}/${involvedObject?.name}`),
        text('Message', (object) => object.message),
      ],
      fieldSelectors: {
        reason: (object) => object.reason ?? '',
        type: (object) => object.type ?? '',
        'involvedObject.kind': (object) => object.involvedObject?.kind ?? '',
        'involvedObject.name': (object) => object.involvedObject?.name ?? '',
        'involvedObject.namespace': (object) => object.involvedObject?.namespace ?? '',
        'involvedObject.uid': (object) => object.involvedObject?.uid ?? '',
      },
    },
    {
      group: 'apps',
      version: 'v1',
      ...names('Deployment', 'deployments', ['deploy']),
      categories: ['all'],
      namespaced: true,
      statusSubresource: true,
      admit: ({ object }) => setDefaults(object, { spec: { replicas: 1, progressDeadlineSeconds: 600 } }),
      columns: [
        text('Ready', (object) => `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 1}`),
        number('Up-to-date', (object) => object.status?.updatedReplicas ?? 0),
        number('Available', (object) => object.status?.availableReplicas ?? 0),
      ],
    },
    {
      group: 'apps',
      version: 'v1',
      ...names('StatefulSet', 'statefulsets', ['sts']),
      categories: ['all'],
      namespaced: true,
      statusSubresource: true,
      columns: [text('Ready', (object) => `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 1}`)],
    },
    { ...rbac, ...names('ClusterRole', 'clusterroles'), namespaced: false },
    { ...rbac, ...names('ClusterRoleBinding', 'clusterrolebindings'), namespaced: false, columns: [roleColumn] },
    { ...rbac, ...names('Role', 'roles'), namespaced: true },
    { ...rbac, ...names('RoleBinding', 'rolebindings'), namespaced: true, columns: [roleColumn] },
    { ...admission, ...names('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations') },
    { ...admission, ...names('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations') },
    {
      group: 'scheduling.k8s.io',
      version: 'v1',
      ...names('PriorityClass', 'priorityclasses', ['pc']),
      namespaced: false,
      columns: [number('Value', (object) => object.value)],
    },
    {
      group: 'coordination.k8s.io',
      version: 'v1',
      ...names('Lease', 'leases'),
      namespaced: true,
      columns: [text('Holder', (object) => object.spec?.holderIdentity)],
    },
    customResourceDefinitionType,
  ];
}

const roleColumn = text('Role', ({ roleRef }) => `${roleRef?.kind}/${roleRef?.name}`);

function names(kind: string, plural: string, shortNames: readonly string[] = []) {
  return { kind, plural, singular: kind.toLowerCase(), shortNames };
}

function text(name: string, value: (object: KubeObject) => string | undefined, priority = 0): PrinterColumn {
  return { name, type: 'string', value, priority };
}

function number(name: string, value: (object: KubeObject) => number | undefined): PrinterColumn {
  return { name, type: 'integer', value };
}

function count(name: string, value: (object: KubeObject) => object | undefined): PrinterColumn {
  return number(name, (object) => Object.keys(value(object) ?? {}).length);
}

function conditionStatus(object: KubeObject, type: string): string | undefined {
  const conditions: readonly { type: string; status: string }[] = object.status?.conditions ?? [];
  return conditions.find((condition) => condition.type === type)?.status;
}

function setDefaults(object: KubeObject | undefined, defaults: Readonly<Record<string, object>>): void {
  if (object === undefined) return;
  for (const [field, values] of Object.entries(defaults)) object[field] = { ...values, ...object[field] };
}

function admitNamespace({ operation, object }: AdmissionRequest): void {
  if (object === undefined || operation !== 'CREATE') return;
  object.spec = { ...object.spec, finalizers: ['kubernetes'] };
  object.status = { phase: 'Active' };
  object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name ?? '' };
}

function admitSecret({ object }: AdmissionRequest): void {
  if (object === undefined) return;
  object.type ??= 'Opaque';
  for (const [key, value] of Object.entries(object.data ?? {})) {
    if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
      throw badRequest(`Secret in version "v1" cannot be handled as a Secret: illegal base64 data in data.${key}`);
    }
  }
  if (object.stringData === undefined) return;
  const encoded = Object.entries(object.stringData).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ]);
  object.data = { ...object.data, ...Object.fromEntries(encoded) };
  delete object.stringData;
}

/** TokenRequest: a bearer token that acts as the ServiceAccount until it expires. */
function tokenRequest(tokens: BearerTokens, clock: Clock): (request: SubresourceRequest) => KubeObject {
  return ({ object, body }) => {
    const lifetimeSeconds: number = body.spec?.expirationSeconds ?? 3600;
    const { name = '', namespace = '' } = object.metadata;
    const user = {
      name: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    };
    return {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name, namespace },
      spec: { ...body.spec, expirationSeconds: lifetimeSeconds },
      status: {
        token: tokens.issue({ user, lifetimeSeconds }),
        expirationTimestamp: kubernetesTime(clock.now() + lifetimeSeconds * 1000),
      },
    };
  };
}
