import type { KubernetesObject, ResourceKind } from '../../../kubernetes/kubernetes-client.ts';

export const shootKind: ResourceKind = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  plural: 'shoots',
  namespaced: true,
};

/** The fields of a Shoot that we write or read. Gardener fills in many more; never compare a whole Shoot with ours. */
export interface ShootSpec {
  readonly cloudProfile?: { readonly kind: 'CloudProfile' | 'NamespacedCloudProfile'; readonly name: string };
  /** Of Gardens that do not know `cloudProfile`. */
  readonly cloudProfileName?: string;
  readonly credentialsBindingName?: string;
  /** Of Gardens that have no CredentialsBindings, and of SecretBindings below Kubernetes 1.34. */
  readonly secretBindingName?: string;
  readonly region: string;
  readonly purpose?: string;
  /** Left to Gardener's scheduler unless the caller named one. */
  readonly seedName?: string;
  readonly seedSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly tolerations?: readonly { readonly key: string }[];
  readonly exposureClassName?: string;
  readonly accessRestrictions?: readonly {
    readonly name: string;
    readonly options: Readonly<Record<string, string>>;
  }[];
  readonly controlPlane?: { readonly highAvailability: { readonly failureTolerance: { readonly type: string } } };
  readonly kubernetes?: {
    readonly version?: string;
    readonly kubeAPIServer?: {
      readonly structuredAuthentication?: { readonly configMapName: string };
      readonly admissionPlugins?: readonly { readonly name: string; readonly config: object }[];
      readonly auditConfig?: { readonly auditPolicy: { readonly configMapRef: { readonly name: string } } };
    };
  };
  readonly extensions?: readonly {
    readonly type: string;
    readonly disabled?: boolean;
    readonly providerConfig?: object;
  }[];
  /** Objects in the project's namespace that extensions read. */
  readonly resources?: readonly {
    readonly name: string;
    readonly resourceRef: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  }[];
  readonly networking: {
    readonly type: string;
    readonly nodes: string;
    readonly pods: string;
    readonly services: string;
  };
  readonly maintenance: {
    readonly autoUpdate: { readonly kubernetesVersion: boolean; readonly machineImageVersion: boolean };
    /** Drawn by Gardener when not given. */
    readonly timeWindow?: { readonly begin: string; readonly end: string };
  };
  readonly provider: {
    readonly type: string;
    readonly infrastructureConfig: object;
    readonly controlPlaneConfig?: object;
    readonly workers: readonly ShootWorker[];
    readonly workersSettings: { readonly sshAccess: { readonly enabled: boolean } };
  };
  /** Filled in by Gardener unless the caller has a domain of their own. */
  readonly dns?: { readonly domain?: string; readonly providers?: readonly object[] };
  /** Not written with the rest: who owns the cluster may have set schedules. */
  readonly hibernation?: { readonly enabled?: boolean };
}

export interface ShootWorker {
  readonly name: string;
  readonly machine: { readonly type: string; readonly image?: { readonly name: string; readonly version?: string } };
  readonly volume?: { readonly type: string; readonly size: string };
  readonly minimum: number;
  readonly maximum: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly zones?: readonly string[];
  readonly providerConfig?: object;
}

export interface ShootStatus {
  readonly observedGeneration?: number;
  readonly seedName?: string;
  readonly lastOperation?: {
    readonly type?: string;
    readonly state?: string;
    readonly progress?: number;
    readonly description?: string;
  };
  readonly lastErrors?: readonly { readonly description?: string; readonly codes?: readonly string[] }[];
  readonly advertisedAddresses?: readonly { readonly name: string; readonly url: string }[];
  readonly hibernated?: boolean;
  readonly constraints?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
}

/** What we ask Gardener for. */
export interface ShootManifest extends KubernetesObject {
  readonly spec: ShootSpec;
}

/** A Shoot as Gardener answers it: nothing in it is certain. */
export interface Shoot extends KubernetesObject {
  readonly spec?: Partial<ShootSpec>;
  readonly status?: ShootStatus;
}

export function asShoot(object: KubernetesObject): Shoot {
  return object as Shoot;
}
