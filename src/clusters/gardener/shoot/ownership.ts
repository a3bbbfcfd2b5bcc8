import type { OperationId, RuntimeId } from '../../../domain/ids.ts';
import type { Shoot } from './shoot.ts';

/** Both are written, as the original did: tools look for either. */
const prefixes = ['kcp.provisioner.kyma-project.io', 'compass.provisioner.kyma-project.io'] as const;

export interface Marks {
  readonly runtimeId: RuntimeId;
  readonly operationId?: OperationId | undefined;
  readonly licenceType?: string | undefined;
}

/** The annotations that say whose a Shoot is. */
export function ownershipAnnotations({ runtimeId, operationId, licenceType }: Marks): Record<string, string> {
  return Object.fromEntries(
    prefixes.flatMap((prefix) => [
      [`${prefix}/runtime-id`, runtimeId],
      ...(operationId === undefined ? [] : [[`${prefix}/operation-id`, operationId]]),
      ...(licenceType === undefined ? [] : [[`${prefix}/licence-type`, licenceType]]),
    ]),
  );
}

/** The Runtime that a Shoot was made for; undefined when it bears no mark of ours. */
export function ownerOf(shoot: Shoot): string | undefined {
  const annotations = shoot.metadata.annotations ?? {};
  return prefixes.map((prefix) => annotations[`${prefix}/runtime-id`]).find((owner) => owner !== undefined);
}
