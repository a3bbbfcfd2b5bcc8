import type { ShootExtender } from './shoot-extender.ts';

/** What whoever runs this service wants of one Shoot, whatever its caller asks for. */
export interface ShootPolicy {
  /** When Gardener may update and restart; `HHMMSS+ZONE`. */
  readonly maintenanceWindow?: { readonly begin: string; readonly end: string } | undefined;
  /** ConfigMap in the project's namespace, with the audit policy of the API server. */
  readonly auditPolicyConfigMap?: string | undefined;
  /** Where audit logs go. */
  readonly auditLog?: AuditLog | undefined;
  /** Keys of the seeds' taints to tolerate, beside those that this service knows. */
  readonly tolerations?: readonly string[] | undefined;
  /** On AWS, for callers who do not say: nodes answer version 2 of the instance metadata service only. */
  readonly instanceMetadataV2?: boolean | undefined;
}

/** An annotation that a landscape's own controllers read, or Gardener's extension for audit logs. */
export type AuditLog =
  | { readonly form: 'annotation'; readonly tenant: string }
  | {
      readonly form: 'extension';
      readonly tenantID: string;
      readonly serviceURL: string;
      /** In the project's namespace. */
      readonly secretName: string;
    };

/** The name under which the extension finds its Secret among the Shoot's resources. */
const credentialsReference = 'auditlog-credentials';

export const auditPolicy: ShootExtender = ({ settings: { policy } }) => {
  const name = policy?.auditPolicyConfigMap;
  return name === undefined
    ? {}
    : { spec: { kubernetes: { kubeAPIServer: { auditConfig: { auditPolicy: { configMapRef: { name } } } } } } };
};

/** Read by a landscape's own controllers. */
export const auditTenantAnnotation = 'custom.shoot.sapcloud.io/subaccountId';
export const auditLogExtensionType = 'shoot-auditlog-service';

export const auditLog: ShootExtender = ({ settings: { policy } }) => {
  switch (policy?.auditLog?.form) {
    case 'annotation':
      return { metadata: { annotations: { [auditTenantAnnotation]: policy.auditLog.tenant } } };
    case 'extension': {
      const resourceRef = { apiVersion: 'v1', kind: 'Secret', name: policy.auditLog.secretName };
      return { spec: { resources: [{ name: credentialsReference, resourceRef }] } };
    }
    default:
      return {};
  }
};

/**
 * One of the Shoot's `extensions`, also when the Garden does not have it: a cluster without the audit log that was
 * wanted is worse than none.
 */
export function auditLogExtension(
  policy: ShootPolicy | undefined,
): readonly { type: string; providerConfig: object }[] {
  if (policy?.auditLog?.form !== 'extension') return [];
  const { tenantID, serviceURL } = policy.auditLog;
  const providerConfig = {
    apiVersion: 'service.auditlog.extensions.gardener.cloud/v1alpha1',
    kind: 'AuditlogConfig',
    type: 'standard',
    tenantID,
    serviceURL,
    secretReferenceName: credentialsReference,
  };
  return [{ type: auditLogExtensionType, providerConfig }];
}
