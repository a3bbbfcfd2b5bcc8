import { stringify } from 'yaml';
import type { OidcConfig } from '../../../domain/gardener-config.ts';
import type { KubernetesObject, ResourceKind } from '../../../kubernetes/kubernetes-client.ts';
import type { GardenerOrder } from '../gardener-order.ts';
import { ownershipAnnotations } from './ownership.ts';

export const configMapKind: ResourceKind = { apiVersion: 'v1', plural: 'configmaps', namespaced: true };

/** That of the Shoot, as tools of Kyma expect. */
export function authenticationConfigMapName(shoot: string): string {
  return shoot;
}

/** The ConfigMap that a Shoot's `structuredAuthentication` names; undefined when the caller asked for no issuer. */
export function authenticationConfigMap(order: GardenerOrder, namespace: string): KubernetesObject | undefined {
  const { name, config } = order.cluster;
  if (!config.oidcConfig) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: authenticationConfigMapName(name),
      namespace,
      annotations: ownershipAnnotations({ runtimeId: order.runtimeId }),
    },
    data: { 'config.yaml': stringify(authenticationConfiguration(config.oidcConfig)) },
  };
}

/**
 * What the API server's flags `--oidc-*` meant, in the form that replaced them. `v1beta1` is known to every version of
 * Kubernetes that Gardener supports. There is no field for signing algorithms: all asymmetric ones are accepted.
 */
export function authenticationConfiguration(oidc: OidcConfig): object {
  const claim = oidc.usernameClaim || 'sub';
  return {
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: oidc.issuerURL, audiences: [oidc.clientID] },
        claimMappings: {
          username: { claim, prefix: usernamePrefix(oidc, claim) },
          ...(oidc.groupsClaim && { groups: { claim: oidc.groupsClaim, prefix: '' } }),
        },
      },
    ],
  };
}

function usernamePrefix({ usernamePrefix: given, issuerURL }: OidcConfig, claim: string): string {
  if (given === '-') return '';
  if (given !== '' || claim === 'email') return given;
  return `${issuerURL}#`;
}
