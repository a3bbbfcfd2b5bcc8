import { authenticationConfigMapName } from './authentication-config.ts';
import type { ShootExtender } from './shoot-extender.ts';
import { auditLogExtension } from './shoot-policy.ts';

/** Where the control plane may run. */
export const seedSelection: ShootExtender = ({ order, provider, settings }) => {
  const { region, shootAndSeedSameRegion, exposureClassName } = order.cluster.config;
  const tolerations = [...new Set([...provider.tolerations(region), ...(settings.policy?.tolerations ?? [])])];
  return {
    spec: {
      exposureClassName: exposureClassName ?? provider.exposureClass,
      ...(shootAndSeedSameRegion && { seedSelector: { matchLabels: { 'seed.gardener.cloud/region': region } } }),
      ...(tolerations.length > 0 && { tolerations: tolerations.map((key) => ({ key })) }),
    },
  };
};

export const euAccessLabel = 'seed.gardener.cloud/eu-access';

export const euAccess: ShootExtender = ({ order, settings }) => {
  if (!order.cluster.config.euAccess) return {};
  const options = {
    'support.gardener.cloud/eu-access-for-cluster-addons': 'true',
    'support.gardener.cloud/eu-access-for-cluster-nodes': 'true',
  };
  return settings.forms?.euAccess === 'seedLabel'
    ? { metadata: { annotations: options }, spec: { seedSelector: { matchLabels: { [euAccessLabel]: 'true' } } } }
    : { spec: { accessRestrictions: [{ name: 'eu-access-only', options }] } };
};

export const highAvailability: ShootExtender = ({ order }) => {
  const type = order.cluster.config.controlPlaneFailureTolerance;
  return type === undefined ? {} : { spec: { controlPlane: { highAvailability: { failureTolerance: { type } } } } };
};

export const dns: ShootExtender = ({ order, settings }) => {
  const { dnsConfig } = order.cluster.config;
  if (!dnsConfig) return {};
  const byName = settings.forms?.dnsCredentials === 'secretName';
  const providers = dnsConfig.providers.map(({ type, primary, secretName, domainsInclude }) => ({
    type,
    primary,
    // From Kubernetes 1.35 on Gardener takes no secretName any more.
    ...(byName ? { secretName } : { credentialsRef: { apiVersion: 'v1', kind: 'Secret', name: secretName } }),
    ...(domainsInclude.length > 0 && { domains: { include: domainsInclude } }),
  }));
  return { spec: { dns: { domain: dnsConfig.domain, providers } } };
};

/** A dry run names no ConfigMap: it is made just before the Shoot, and Gardener refuses one that is not there. */
export const authentication: ShootExtender = ({ order, operationId }) => {
  if (!order.cluster.config.oidcConfig || operationId === undefined) return {};
  const configMapName = authenticationConfigMapName(order.cluster.name);
  return { spec: { kubernetes: { kubeAPIServer: { structuredAuthentication: { configMapName } } } } };
};

/** Namespaces whose Pods need more than `baseline` allows. */
const privilegedNamespaces = ['kube-system', 'kyma-system', 'istio-system', 'compass-system', 'kyma-installer'];

/** What PodSecurityPolicies did until Kubernetes 1.25. */
export const podSecurity: ShootExtender = ({ order }) => {
  if (order.cluster.config.allowPrivilegedContainers !== false) return {};
  const config = {
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    defaults: { enforce: 'baseline', 'enforce-version': 'latest' },
    exemptions: { namespaces: privilegedNamespaces },
  };
  return { spec: { kubernetes: { kubeAPIServer: { admissionPlugins: [{ name: 'PodSecurity', config }] } } } };
};

/**
 * Extensions that the original switched on, where the Garden has them: it refuses a Shoot that names another. One that
 * the caller insists on is named in any case, so that Gardener says that it is missing.
 */
export const extensions: ShootExtender = ({ order, settings }) => {
  const { shootNetworkingFilterDisabled } = order.cluster.config;
  const wanted = [
    {
      type: 'shoot-networking-filter',
      disabled: shootNetworkingFilterDisabled ?? true,
    },
    {
      type: 'shoot-dns-service',
      providerConfig: {
        apiVersion: 'service.dns.extensions.gardener.cloud/v1alpha1',
        kind: 'DNSConfig',
        dnsProviderReplication: { enabled: true },
        syncProvidersFromShootSpecDNS: true,
      },
    },
    {
      type: 'shoot-cert-service',
      providerConfig: {
        apiVersion: 'service.cert.extensions.gardener.cloud/v1alpha1',
        kind: 'CertConfig',
        shootIssuers: { enabled: true },
      },
    },
  ];
  const found = [
    ...wanted.filter(({ type, disabled }) => disabled === false || (settings.extensionTypes?.has(type) ?? true)),
    ...auditLogExtension(settings.policy),
  ];
  return found.length === 0 ? {} : { spec: { extensions: found } };
};
