import type { Changes } from './orders.ts';

/** An order that must be refused, and how. */
export interface BadOrder {
  readonly reason: string;
  readonly changes?: Changes;
  readonly id?: string;
  readonly tenant?: string;
  readonly code: string;
  /** Below `config.clusterConfig.gardenerConfig` when it begins with a dot. */
  readonly paths?: readonly string[];
  readonly words: RegExp;
}

const kyma = (version: string, ...components: [component: string, namespace: string][]): { changes: Changes } => ({
  changes: {
    kymaConfig: { version, components: components.map(([component, namespace]) => ({ component, namespace })) },
  },
});
const agent = ['application-connector', 'kyma-system'] as [string, string];

export const mistakesOfTheRequest: readonly BadOrder[] = [
  { reason: 'no tenant', tenant: ' ', code: 'TENANT_MISSING', words: /^tenant header is empty$/ },
  {
    reason: 'a tenant that the Director does not know',
    tenant: 'nobody',
    code: 'DIRECTOR_TENANT_INVALID',
    words: /Tenant not found/,
  },
  { reason: 'a malformed id', id: '309051b6', code: 'INVALID_INPUT', words: /^id: "309051b6" is not a UUID/ },
  {
    reason: 'an empty name',
    changes: { runtimeInput: { name: ' ' } },
    code: 'INVALID_INPUT',
    paths: ['config.runtimeInput.name'],
    words: /must not be empty/,
  },
  {
    reason: 'a name that the Director refuses',
    changes: { runtimeInput: { name: 'two words' } },
    code: 'DIRECTOR_REJECTED',
    words: /the Director refused registerRuntime: Invalid data RuntimeRegisterInput/,
  },
  {
    reason: 'a label that the Director refuses',
    changes: { runtimeInput: { labels: { 'a-b': 1 } } },
    code: 'DIRECTOR_REJECTED',
    words: /the Director refused registerRuntime: Invalid data RuntimeRegisterInput/,
  },
  {
    reason: 'an administrator without a name',
    changes: { administrators: ['ada', ''] },
    code: 'INVALID_INPUT',
    paths: ['config.clusterConfig.administrators.1'],
    words: /must not be empty/,
  },
];

export const mistakesInKyma: readonly BadOrder[] = [
  {
    reason: 'an unknown release',
    ...kyma('0.0.1', agent),
    code: 'KYMA_RELEASE_NOT_FOUND',
    paths: ['config.kymaConfig.version'],
    words: /there is no Kyma 0\.0\.1; there are the channels regular, fast and the versions 1\.0\.0, 1\.1\.0/,
  },
  {
    reason: 'an unknown module',
    ...kyma('fast', agent, ['quantum', 'kyma-system']),
    code: 'KYMA_COMPONENT_INVALID',
    paths: ['config.kymaConfig.components.1.component'],
    words: /there is no module "quantum" in Kyma 1\.1\.0/,
  },
  {
    reason: 'a module in another namespace',
    ...kyma('fast', ['application-connector', 'default']),
    code: 'KYMA_COMPONENT_INVALID',
    paths: ['config.kymaConfig.components.0.namespace'],
    words: /lives in the namespace kyma-system, not in "default"/,
  },
  {
    reason: 'no module that brings the agent',
    ...kyma('fast', ['istio', 'kyma-system']),
    code: 'KYMA_COMPONENT_INVALID',
    paths: ['config.kymaConfig.components'],
    words: /does not contain Compass Runtime Agent/,
  },
];
