import type { ResourceKind } from '../../kubernetes/kubernetes-client.ts';
import type { ShootForms } from './shoot/shoot-extender.ts';

/** What `targetSecret` may name in the project's namespace. */
export const bindingKinds = {
  CredentialsBinding: {
    apiVersion: 'security.gardener.cloud/v1alpha1',
    plural: 'credentialsbindings',
    namespaced: true,
  },
  SecretBinding: { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'secretbindings', namespaced: true },
} as const satisfies Readonly<Record<ShootForms['binding'], ResourceKind>>;
