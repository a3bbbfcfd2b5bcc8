import type { Failure, Problem } from '../domain/failures.ts';
import type { KymaConfig, KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';

/** `message` names the component at work. */
export type InstallationObservation =
  | { readonly state: 'absent' }
  | { readonly state: 'working'; readonly message: string; readonly progress: number }
  | { readonly state: 'installed'; readonly message: string }
  | { readonly state: 'failed'; readonly failure: Failure };

export type RemovalObservation =
  | { readonly state: 'working'; readonly message: string; readonly progress: number }
  | { readonly state: 'removed' };

export interface InstallationTarget {
  readonly cluster: KubernetesClient;
  readonly installation: KymaInstallation;
  readonly signal: AbortSignal;
}

/** A part of Kyma as a plan tells of it. */
export interface DescribedPart {
  /** Such as `module istio 1.20.1`. */
  readonly subject: string;
  /** Versions, addresses, digests and configuration. Holds no secret. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Puts Kyma on a cluster. Every call may be repeated; whatever an earlier one left half done is completed. */
export interface KymaInstaller {
  readonly kind: KymaInstallerKind;
  /** What an installation consists of, in the order in which it is applied. */
  describe(installation: KymaInstallation): readonly DescribedPart[];
  /** Applies all there is to apply, in a safe order. Does not wait until it works. */
  install(target: InstallationTarget): Promise<void>;
  observe(target: InstallationTarget): Promise<InstallationObservation>;
  /** Asks for removal, in an order in which the managers can still clean up. */
  uninstall(target: InstallationTarget): Promise<void>;
  observeRemoval(target: InstallationTarget): Promise<RemovalObservation>;
}

export type KymaInstallers = Readonly<Record<KymaInstallerKind, KymaInstaller>>;

/** Turns what a caller asked for into exactly what will be installed, once, when it is accepted. */
export interface KymaCatalogue {
  /** The mistakes name what exists. `path` is the input's path of `config`. */
  resolve(
    config: KymaConfig,
    path: string,
  ): Promise<{ installation: KymaInstallation } | { problems: readonly Problem[] }>;
}
