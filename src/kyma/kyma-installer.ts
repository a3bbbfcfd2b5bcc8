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

/**
 * What a cluster says before an upgrade, by which news is told from what was true before. JSON without secrets; only the
 * installer that made it reads it.
 */
export type UpgradeMark = unknown;

/** From one installation to another of the same installer. */
export interface UpgradeTarget {
  readonly cluster: KubernetesClient;
  /** What is active. The cluster may have more of it, or less: upgrades fail. */
  readonly from: KymaInstallation;
  readonly to: KymaInstallation;
  readonly signal: AbortSignal;
}

/**
 * `unconfirmed`: everything looks as it should, and nothing proves that it was looked at since the upgrade began. It may
 * be believed when it stays so.
 */
export type UpgradeObservation =
  | InstallationObservation
  | { readonly state: 'unconfirmed'; readonly message: string; readonly progress: number };

/** A part of Kyma as a plan tells of it. */
export interface DescribedPart {
  /** Such as `module istio 1.20.1`. */
  readonly subject: string;
  /** Versions, addresses, digests and configuration. Holds no secret. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** All that an installation consists of is to go. */
export interface RemovalTarget extends InstallationTarget {
  /** What an upgrade was to bring that did not succeed: the cluster may have some of it. */
  readonly attempted?: KymaInstallation | undefined;
}

/** Puts Kyma on a cluster. Every call may be repeated; whatever an earlier one left half done is completed. */
export interface KymaInstaller {
  readonly kind: KymaInstallerKind;
  /** What an installation consists of, in the order in which it is applied. */
  describe(installation: KymaInstallation): readonly DescribedPart[];
  /** Applies all there is to apply, in a safe order. Does not wait until it works. */
  install(target: InstallationTarget): Promise<void>;
  /** How far it is. What has to wait for something else is done here, step by step; where there is nothing, nothing is. */
  observe(target: InstallationTarget): Promise<InstallationObservation>;
  /** Takes up what ended in a failure that does not heal by itself; nothing to do where there is none. */
  retry(target: InstallationTarget): Promise<void>;
  /** Asks for removal, in an order in which the managers can still clean up. */
  uninstall(target: RemovalTarget): Promise<void>;
  observeRemoval(target: RemovalTarget): Promise<RemovalObservation>;
  /** To be taken and stored once, before `upgrade`. */
  mark(target: UpgradeTarget): Promise<UpgradeMark>;
  /**
   * Begins all that an upgrade consists of, in a safe order, and waits for none of it. Answers a sentence for each thing
   * that does not become what was asked for.
   */
  upgrade(target: UpgradeTarget): Promise<readonly string[]>;
  /**
   * How far the upgrade is. What has to wait for something else, such as removing what the new installation does not
   * have, is done here, step by step.
   */
  observeUpgrade(target: UpgradeTarget & { readonly mark: UpgradeMark }): Promise<UpgradeObservation>;
}

export type KymaInstallers = Readonly<Record<KymaInstallerKind, KymaInstaller>>;

/** Turns what a caller asked for into exactly what will be installed, once, when it is accepted. */
export interface KymaCatalogue {
  /** The mistakes name what exists. `path` is the input's path of `config`. */
  resolve(config: KymaConfig, path: string): Promise<ResolvedKyma>;
  /**
   * The same for an upgrade, which never goes to an older release. Without components and modules, those that are active
   * are kept, with their configuration.
   */
  resolveUpgrade(request: UpgradeRequest): Promise<ResolvedKyma>;
}

export type ResolvedKyma = { readonly installation: KymaInstallation } | { readonly problems: readonly Problem[] };

export interface UpgradeRequest {
  readonly config: KymaConfig;
  /** The input's path of `config`. */
  readonly path: string;
  readonly active: KymaInstallation;
  /** What the latest upgrade was to bring, when that is not what is active: the cluster may have some of it. */
  readonly attempted?: KymaInstallation | undefined;
}
