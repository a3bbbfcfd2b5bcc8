/** How a field of a protobuf message becomes JSON. Empty values are left out, as Kubernetes' own JSON does. */
export type FieldKind = 'string' | 'integer' | 'boolean' | 'base64' | 'time' | Message;

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly form: 'single' | 'list' | 'map';
}

/** Fields by number, as in Kubernetes' published protobuf definitions. */
export type Message = Readonly<Record<number, Field>>;

const one = (name: string, kind: FieldKind = 'string'): Field => ({ name, kind, form: 'single' });
const list = (name: string, kind: FieldKind = 'string'): Field => ({ name, kind, form: 'list' });
const map = (name: string, kind: FieldKind = 'string'): Field => ({ name, kind, form: 'map' });

const ownerReference: Message = {
  1: one('kind'),
  3: one('name'),
  4: one('uid'),
  5: one('apiVersion'),
  6: one('controller', 'boolean'),
  7: one('blockOwnerDeletion', 'boolean'),
};

const objectMeta: Message = {
  1: one('name'),
  2: one('generateName'),
  3: one('namespace'),
  4: one('selfLink'),
  5: one('uid'),
  6: one('resourceVersion'),
  7: one('generation', 'integer'),
  8: one('creationTimestamp', 'time'),
  9: one('deletionTimestamp', 'time'),
  10: one('deletionGracePeriodSeconds', 'integer'),
  11: map('labels'),
  12: map('annotations'),
  13: list('ownerReferences', ownerReference),
  14: list('finalizers'),
};

const metadata = one('metadata', objectMeta);

const policyRule: Message = {
  1: list('verbs'),
  2: list('apiGroups'),
  3: list('resources'),
  4: list('resourceNames'),
  5: list('nonResourceURLs'),
};
const subject: Message = { 1: one('kind'), 2: one('apiGroup'), 3: one('name'), 4: one('namespace') };
const roleRef: Message = { 1: one('apiGroup'), 2: one('kind'), 3: one('name') };
const binding: Message = { 1: metadata, 2: list('subjects', subject), 3: one('roleRef', roleRef) };
const role: Message = { 1: metadata, 2: list('rules', policyRule) };

/** The types that `kubectl create` sends as protobuf and that the landscape reads, by apiVersion and kind. */
export const protobufMessages: Readonly<Record<string, Message>> = {
  'v1 Namespace': {
    1: metadata,
    2: one('spec', { 1: list('finalizers') }),
    3: one('status', { 1: one('phase') }),
  },
  'v1 ConfigMap': { 1: metadata, 2: map('data'), 3: map('binaryData', 'base64'), 4: one('immutable', 'boolean') },
  'v1 Secret': {
    1: metadata,
    2: map('data', 'base64'),
    3: one('type'),
    4: map('stringData'),
    5: one('immutable', 'boolean'),
  },
  'v1 ServiceAccount': {
    1: metadata,
    2: list('secrets', { 1: one('kind'), 2: one('namespace'), 3: one('name') }),
    3: list('imagePullSecrets', { 1: one('name') }),
    4: one('automountServiceAccountToken', 'boolean'),
  },
  'authentication.k8s.io/v1 TokenRequest': {
    1: metadata,
    2: one('spec', { 1: list('audiences'), 4: one('expirationSeconds', 'integer') }),
    3: one('status', { 1: one('token'), 2: one('expirationTimestamp', 'time') }),
  },
  'rbac.authorization.k8s.io/v1 Role': role,
  'rbac.authorization.k8s.io/v1 ClusterRole': role,
  'rbac.authorization.k8s.io/v1 RoleBinding': binding,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': binding,
  'scheduling.k8s.io/v1 PriorityClass': {
    1: metadata,
    2: one('value', 'integer'),
    3: one('globalDefault', 'boolean'),
    4: one('description'),
    5: one('preemptionPolicy'),
  },
};
