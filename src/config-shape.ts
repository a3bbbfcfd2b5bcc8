import type { RequestLimits } from './api/request-limits.ts';
import type { ShootPolicySettings } from './clusters/gardener/policy/shoot-policies.ts';
import type { Address, LogLevel } from './config-variables.ts';
import type { SslMode } from './db/connection-form.ts';
import type { CrashPlace } from './domain/crash-point.ts';
import type { Deadlines } from './domain/flow.ts';
import type { Secret } from './domain/secret.ts';
import type { AmbientSettings } from './kubernetes/ambient-connection.ts';

/** All that the service is told from outside. */
export interface Config {
  readonly address: Address;
  readonly metricsAddress: Address;
  readonly apiEndpoint: string;
  readonly playgroundApiEndpoint: string;
  readonly playground: boolean;
  readonly introspection: boolean;
  readonly requestLimits: RequestLimits;
  readonly logLevel: LogLevel;
  readonly database: DatabaseConfig;
  readonly gardener: {
    /** False: nobody is asked. */
    readonly enabled: boolean;
    readonly project: string;
    readonly namespace: string;
    readonly kubeconfigPath: string;
    /** How often this process may ask the Garden. */
    readonly requests: { readonly perSecond: number; readonly burst: number };
    /** For callers who do not say. */
    readonly autoUpdate: { readonly kubernetesVersion: boolean; readonly machineImageVersion: boolean };
    readonly policy: ShootPolicySettings;
  };
  readonly gke: { readonly endpoint: string; readonly credentialsNamespace: string };
  /** How the addresses of brokers begin whose instances of services are removed before their cluster. */
  readonly serviceBrokerPrefix: string;
  readonly kyma: KymaSettings;
  /** Undefined: Runtimes are not registered. */
  readonly director: DirectorConfig | undefined;
  readonly deadlines: Deadlines;
  /** Between two searches of a part of the outside world for what belongs to no Runtime. */
  readonly orphanSearchMilliseconds: number;
  /** Where the cluster is found that holds our own Secrets; the customary variables, not ours. */
  readonly ambient: AmbientSettings;
  /** Whether operations go on that were in progress at the start. */
  readonly enqueueInProgressOperations: boolean;
  /** After SIGTERM, until no request is answered any more. */
  readonly shutdownDelayMilliseconds: number;
  /** Where a test wants this process to die. */
  readonly crashPlace: CrashPlace | undefined;
  /** Variables that begin with `APP_` and that nothing reads: a slip, or a setting of another version. */
  readonly unknownVariables: readonly string[];
}

export type DatabaseConfig =
  | { readonly kind: 'embedded'; readonly path: string; readonly secretKey: Secret<Buffer> | undefined }
  | {
      readonly kind: 'server';
      readonly host: string;
      readonly port: number;
      readonly name: string;
      readonly user: string;
      readonly password: Secret;
      readonly sslMode: SslMode;
      readonly sslRootCert: string | undefined;
      readonly secretKey: Secret<Buffer>;
    };

export interface KymaSettings {
  /** With neither this nor the next there is no Kyma to install. */
  readonly cataloguePath: string | undefined;
  readonly catalogueUrl: URL | undefined;
  /** Of the only contents that may be at the address. */
  readonly catalogueSha256: string | undefined;
  readonly refreshMilliseconds: number;
  /** An https address, or a folder. */
  readonly mirror: URL | undefined;
  /** Whether files of releases are fetched ahead of their use. */
  readonly prefetch: boolean;
  readonly privateAddresses: 'allowed' | 'refused';
  /** What becomes of modules that are left out and that others need. */
  readonly dependencies: 'add' | 'refuse';
  /** What becomes of an installation in which a module warns. */
  readonly warnings: 'accept' | 'wait';
}

export interface DirectorConfig {
  readonly url: string;
  readonly tls: {
    readonly skipCertificateVerification: boolean;
    readonly authorityFile: string | undefined;
    readonly clientCertificate: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  };
  /** Undefined: the gateway knows us by our certificate. */
  readonly credentials: { readonly namespace: string; readonly secretName: string } | undefined;
  /** Whose entries deprovisioning removes. */
  readonly unregisters: { readonly ours: boolean; readonly callers: boolean };
}
