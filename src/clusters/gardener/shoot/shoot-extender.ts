import type { OperationId } from '../../../domain/ids.ts';
import type { CloudProfileKind } from '../cloud-profile/cloud-profile.ts';
import type { GardenerOrder } from '../gardener-order.ts';
import type { ProviderSupport } from '../providers/provider-support.ts';
import type { ShootPolicy } from './shoot-policy.ts';

/** How a Garden takes what older ones take differently. */
export interface ShootForms {
  readonly cloudProfile: 'reference' | 'name';
  /** Of the binding that the order names. */
  readonly binding: 'CredentialsBinding' | 'SecretBinding';
  /** `seedLabel`: until Gardener 1.107, a Seed that bears the label, and annotations for what else is restricted. */
  readonly euAccess: 'accessRestriction' | 'seedLabel';
  /** Of a provider of DNS. */
  readonly dnsCredentials: 'reference' | 'secretName';
}

export interface ShootSettings {
  readonly namespace: string;
  /** Which installation of this service makes the Shoot; no mark of it when not given. */
  readonly installation?: string | undefined;
  /** For callers who did not say; Gardener's own default would be true. */
  readonly autoUpdateKubernetesVersion: boolean;
  readonly autoUpdateMachineImageVersion: boolean;
  /** What the Garden has to offer for a Shoot's `extensions`; undefined when that is not known. */
  readonly extensionTypes?: ReadonlySet<string> | undefined;
  /** Those of today's Gardens when not given. */
  readonly forms?: ShootForms | undefined;
  /** A CloudProfile when not given. */
  readonly cloudProfileKind?: CloudProfileKind | undefined;
  /** What whoever runs this service wants of the order's cluster. */
  readonly policy?: ShootPolicy | undefined;
}

export interface ShootRequest {
  readonly order: GardenerOrder;
  readonly settings: ShootSettings;
  /** Absent in a dry run, which belongs to no operation yet. */
  readonly operationId?: OperationId;
}

export interface ShootContext extends ShootRequest {
  readonly provider: ProviderSupport;
}

/** Contributes its part of a Shoot; no two contribute the same field. */
export type ShootExtender = (context: ShootContext) => object;
