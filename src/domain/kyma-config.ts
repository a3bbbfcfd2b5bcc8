/** Kyma on a Runtime, in the words of the GraphQL input `KymaConfigInput`. */
export interface KymaConfig {
  /** A channel (`fast`), a catalogue version or a release. */
  readonly version: string;
  readonly profile?: 'Evaluation' | 'Production';
  readonly conflictStrategy?: 'Merge' | 'Replace';
  readonly components: readonly KymaComponent[];
  /** Added to the release's minimal set; named as in 2019 (`PrometheusOperator`) or as in the release. */
  readonly modules?: readonly string[];
  readonly configuration?: readonly ConfigurationEntry[];
}

export interface KymaComponent {
  readonly component: string;
  readonly namespace: string;
  readonly sourceURL?: string;
  readonly configuration?: readonly ConfigurationEntry[];
  readonly conflictStrategy?: 'Merge' | 'Replace';
}

export interface ConfigurationEntry {
  readonly key: string;
  readonly value: string;
  /** A confidential entry is encrypted in the database. */
  readonly secret?: boolean;
}

/** What a KymaConfig was resolved to when it was accepted; only the installer that made it opens `plan`. */
export interface KymaInstallation {
  readonly config: KymaConfig;
  readonly installer: KymaInstallerKind;
  /** Versioned JSON of the installer: names, versions, addresses and digests. Holds no secret. */
  readonly plan: unknown;
}

export const kymaInstallerKinds = ['modules', 'installer-cr'] as const;
export type KymaInstallerKind = (typeof kymaInstallerKinds)[number];
