import type { OperationId, RuntimeId, Tenant } from '../../../domain/ids.ts';
import type { Shoot } from './shoot.ts';

/** Both are written, as the original did: tools look for either. */
const prefixes = ['kcp.provisioner.kyma-project.io', 'compass.provisioner.kyma-project.io'] as const;

export interface Marks {
  readonly runtimeId: RuntimeId;
  readonly operationId?: OperationId | undefined;
  readonly licenceType?: string | undefined;
  /** Of this service: which of those that may share a project. */
  readonly installation?: string | undefined;
}

/** Not the original's, so it is written once. */
const installationAnnotation = `${prefixes[0]}/installation-id`;

/** Those that `ownerOf` and `installationOf` read. */
export const ownerAnnotations: readonly string[] = [
  ...prefixes.map((prefix) => `${prefix}/runtime-id`),
  installationAnnotation,
];

/** The annotations that say whose a Shoot is. */
export function ownershipAnnotations({
  runtimeId,
  operationId,
  licenceType,
  installation,
}: Marks): Record<string, string> {
  return Object.fromEntries([
    ...prefixes.flatMap((prefix) => [
      [`${prefix}/runtime-id`, runtimeId],
      ...(operationId === undefined ? [] : [[`${prefix}/operation-id`, operationId]]),
      ...(licenceType === undefined ? [] : [[`${prefix}/licence-type`, licenceType]]),
    ]),
    ...(installation === undefined ? [] : [[installationAnnotation, installation]]),
  ]);
}

/** The Runtime that a Shoot was made for; undefined when it bears no mark of ours. */
export function ownerOf(shoot: Shoot): string | undefined {
  const annotations = shoot.metadata.annotations ?? {};
  return prefixes.map((prefix) => annotations[`${prefix}/runtime-id`]).find((owner) => owner !== undefined);
}

/** The installation of this service that made a Shoot; undefined for one from before there were such marks. */
export function installationOf(shoot: Shoot): string | undefined {
  return shoot.metadata.annotations?.[installationAnnotation];
}

/** The tenant that a Shoot was made for. */
export function tenantOf(shoot: Shoot): Tenant | undefined {
  return (shoot.metadata.labels?.account || undefined) as Tenant | undefined;
}
