import type { OperationKind } from '../domain/operation.ts';
import { deprovision } from './deprovision.ts';
import { hibernate } from './hibernate.ts';
import { provision } from './provision.ts';
import { reconnectRuntime } from './reconnect-runtime.ts';
import type { ProvisionerFlow } from './tools.ts';
import { upgrade } from './upgrade.ts';
import { upgradeShoot } from './upgrade-shoot.ts';
import { wakeUp } from './wake-up.ts';

const byKind: Readonly<Record<OperationKind, ProvisionerFlow>> = {
  Provision: provision,
  Upgrade: upgrade,
  UpgradeShoot: upgradeShoot,
  Hibernate: hibernate,
  WakeUp: wakeUp,
  ReconnectRuntime: reconnectRuntime,
  Deprovision: deprovision,
};

/** Every flow there is. */
export const flows: readonly ProvisionerFlow[] = Object.values(byKind);

export function flowOf(kind: OperationKind): ProvisionerFlow {
  return byKind[kind];
}
