import type { KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';
import type { Target } from '../domain/runtime.ts';
import type { ColumnCipher } from './encryption.ts';
import { openKymaConfig, type SealedKymaConfig, sealKymaConfig } from './kyma-config-sealing.ts';

interface Place {
  readonly cipher: ColumnCipher | undefined;
  /** The place that confidential entries are sealed for is that of the Runtime, so that they can be moved there. */
  readonly runtimeId: string;
}

interface StoredKyma {
  readonly installer: KymaInstallerKind;
  readonly config: SealedKymaConfig;
  readonly plan: unknown;
}

/** A Target as `configuration_change` holds it. */
export interface StoredTarget extends Omit<Target, 'kyma'> {
  readonly kyma?: StoredKyma;
}

/** Throws when an entry is confidential and no key is configured. */
export function storeTarget({ kyma, ...rest }: Target, place: Place): StoredTarget {
  return { ...rest, ...(kyma && { kyma: { ...kyma, config: sealKymaConfig(kyma.config, place) } }) };
}

/** Throws EncryptionError when a confidential entry was altered or moved. */
export function openTarget({ kyma, ...rest }: StoredTarget, place: Place): Target {
  if (kyma === undefined) return rest;
  const opened: KymaInstallation = { ...kyma, config: openKymaConfig(kyma.config, place) };
  return { ...rest, kyma: opened };
}
