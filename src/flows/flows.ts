import { deprovision } from './deprovision.ts';
import { provision } from './provision.ts';
import type { ProvisionerFlow } from './tools.ts';

/** Every flow there is. */
export const flows: readonly ProvisionerFlow[] = [provision, deprovision];
