import type { GardenAge } from './garden-age.ts';

/**
 * The OpenAPI schema of a Shoot. Fields that Gardener has deleted from its API (`allowPrivilegedContainers`,
 * `oidcConfig`, ...) are absent, so that strict field validation refuses them.
 */
const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const intOrString = { 'x-kubernetes-int-or-string': true } as const;
const texts = list(text);
const textMap = { type: 'object', additionalProperties: text } as const;
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const featureGates = { type: 'object', additionalProperties: flag } as const;

const kubelet = fields({
  containerLogMaxFiles: integer,
  containerLogMaxSize: text,
  cpuCFSQuota: flag,
  cpuManagerPolicy: text,
  evictionHard: free,
  evictionMaxPodGracePeriod: integer,
  evictionMinimumReclaim: free,
  evictionPressureTransitionPeriod: text,
  evictionSoft: free,
  evictionSoftGracePeriod: free,
  failSwapOn: flag,
  featureGates,
  imageGCHighThresholdPercent: integer,
  imageGCLowThresholdPercent: integer,
  imageMaximumGCAge: text,
  imageMinimumGCAge: text,
  kubeReserved: free,
  maxParallelImagePulls: integer,
  maxPods: integer,
  memorySwap: free,
  podPidsLimit: integer,
  protectKernelDefaults: flag,
  registryBurst: integer,
  registryPullQPS: integer,
  seccompDefault: flag,
  serializeImagePulls: flag,
  streamingConnectionIdleTimeout: text,
});

const worker = fields({
  annotations: textMap,
  caBundle: text,
  clusterAutoscaler: free,
  controlPlane: free,
  cri: fields({ name: text, containerRuntimes: list(fields({ type: text, providerConfig: free })) }),
  dataVolumes: list(fields({ name: text, type: text, size: text, encrypted: flag })),
  kubeletDataVolumeName: text,
  kubernetes: fields({ kubelet, version: text }),
  labels: textMap,
  machine: fields({
    architecture: text,
    image: fields({ name: text, providerConfig: free, version: text }),
    type: text,
  }),
  machineControllerManager: free,
  maxSurge: intOrString,
  maxUnavailable: intOrString,
  maximum: integer,
  minimum: integer,
  name: text,
  priority: integer,
  providerConfig: free,
  sysctls: textMap,
  systemComponents: fields({ allow: flag }),
  taints: list(fields({ effect: text, key: text, timeAdded: text, value: text })),
  updateStrategy: text,
  volume: fields({ encrypted: flag, name: text, size: text, type: text }),
  zones: texts,
});

const kubeAPIServer = fields({
  admissionPlugins: list(fields({ config: free, disabled: flag, kubeconfigSecretName: text, name: text })),
  apiAudiences: texts,
  auditConfig: fields({ auditPolicy: fields({ configMapRef: free }) }),
  autoscaling: free,
  defaultNotReadyTolerationSeconds: integer,
  defaultUnreachableTolerationSeconds: integer,
  enableAnonymousAuthentication: flag,
  encryptionConfig: fields({ provider: free, resources: texts }),
  eventTTL: text,
  featureGates,
  logging: free,
  requests: fields({ maxMutatingInflight: integer, maxNonMutatingInflight: integer }),
  runtimeConfig: featureGates,
  serviceAccountConfig: fields({
    acceptedIssuers: texts,
    extendTokenExpiration: flag,
    issuer: text,
    maxTokenExpiration: text,
  }),
  structuredAuthentication: fields({ configMapName: text }),
  structuredAuthorization: fields({
    configMapName: text,
    kubeconfigs: list(fields({ authorizerName: text, secretName: text })),
  }),
  watchCacheSizes: free,
});

const dnsProvider = { domains: free, primary: flag, secretName: text, type: text, zones: free };

const specFields = {
  accessRestrictions: list(fields({ name: text, options: textMap })),
  addons: free,
  cloudProfile: fields({ kind: text, name: text }),
  cloudProfileName: text,
  controlPlane: fields({ highAvailability: fields({ failureTolerance: fields({ type: text }) }), zones: texts }),
  credentialsBindingName: text,
  dns: fields({ domain: text, providers: list(fields({ ...dnsProvider, credentialsRef: free })) }),
  exposureClassName: text,
  extensions: list(fields({ disabled: flag, providerConfig: free, type: text })),
  hibernation: fields({ enabled: flag, schedules: list(fields({ end: text, location: text, start: text })) }),
  kubernetes: fields({
    clusterAutoscaler: free,
    etcd: free,
    kubeAPIServer,
    kubeControllerManager: free,
    kubeProxy: free,
    kubeScheduler: free,
    kubelet,
    version: text,
    verticalPodAutoscaler: free,
  }),
  maintenance: fields({
    autoRotation: free,
    autoUpdate: fields({ kubernetesVersion: flag, machineImageVersion: flag }),
    confineSpecUpdateRollout: flag,
    timeWindow: fields({ begin: text, end: text }),
  }),
  monitoring: fields({ alerting: fields({ emailReceivers: texts }) }),
  networking: fields({
    ipFamilies: texts,
    nodes: text,
    pods: text,
    providerConfig: free,
    services: text,
    type: text,
  }),
  provider: fields({
    controlPlaneConfig: free,
    infrastructureConfig: free,
    type: text,
    workers: list(worker),
    workersSettings: fields({ sshAccess: fields({ enabled: flag }) }),
  }),
  purpose: text,
  region: text,
  resources: list(fields({ name: text, resourceRef: fields({ apiVersion: text, kind: text, name: text }) })),
  schedulerName: text,
  secretBindingName: text,
  seedName: text,
  seedSelector: free,
  systemComponents: fields({ coreDNS: free, nodeLocalDNS: free }),
  tolerations: list(fields({ key: text, value: text })),
};

/** An old Garden does not know the fields that replaced others. */
export function shootSchemaOf(age: GardenAge): object {
  const { cloudProfile, credentialsBindingName, accessRestrictions, ...older } = specFields;
  const dns = fields({ domain: text, providers: list(fields(dnsProvider)) });
  const spec = fields(age === 'old' ? { ...older, dns } : specFields);
  return fields({ apiVersion: text, kind: text, metadata: { type: 'object' }, spec, status: free });
}

function fields(properties: Readonly<Record<string, object>>) {
  return { type: 'object', properties } as const;
}

function list(items: object) {
  return { type: 'array', items } as const;
}
