import type { GardenerProvider } from '../../../domain/gardener-config.ts';
import { readPath, readText } from '../../../domain/json.ts';
import { contains, readCidr } from '../../cidr.ts';
import type { Mistake } from '../checks/mistake.ts';
import { type ChangeSubject, type FieldRule, unchangeable } from './field-rule.ts';
import { type Draft, put } from './shoot-draft.ts';

export const workersPath = ['spec', 'provider', 'infrastructureConfig', 'networks', 'workers'] as const;
export const nodesPath = ['spec', 'networking', 'nodes'] as const;

/** Why the range of the nodes stays as it is, where it does; a cloud that is not here can make it larger. */
const fixedRange: Partial<Readonly<Record<GardenerProvider, string>>> = {
  aws: 'AWS cannot change a subnet that is in use; add a zone instead',
  openstack: 'OpenStack cannot change a subnet that is in use',
};
const zonesHaveSubnets =
  'each zone has a subnet of its own, and Azure cannot change one that is in use; add a zone instead';

/** The nodes of GCP and of an Azure cluster with one subnet: their range may grow, and nothing else. */
export const workerCidr: FieldRule = {
  field: 'workerCidr',
  *mistakes({ before, after }: ChangeSubject): Generator<Mistake> {
    const [from, to] = [before.workerCidr, after.workerCidr];
    if (from === to) return;
    const because =
      fixedRange[after.provider] ?? (before.providerSpecificConfig.azureConfig?.azureZones && zonesHaveSubnets);
    if (because !== undefined) yield unchangeable('workerCidr', from, to, because);
    else if (!grows(from, to)) {
      yield unchangeable('workerCidr', from, to, 'nodes have addresses in it, so that it can only be made larger');
    }
  },
  read: (shoot) => readPath(shoot, ...workersPath),
  write(draft, { after, provider }) {
    if (fixedRange[after.provider] !== undefined || after.providerSpecificConfig.azureConfig?.azureZones)
      return undefined;
    grow(draft, workersPath, after.workerCidr);
    grow(draft, nodesPath, provider.nodesCidr(after));
    return undefined;
  },
};

/** Sets a range, unless somebody has made it larger than we know. */
export function grow(draft: Draft, path: readonly string[], wanted: string): void {
  const present = readText(draft, ...path);
  if (present === undefined || !grows(wanted, present)) put(draft, path, wanted);
}

/** True when the second range holds the first. Nonsense is told elsewhere. */
export function grows(from: string, to: string): boolean {
  const [old, wanted] = [readCidr(from), readCidr(to)];
  return !('cidr' in old) || !('cidr' in wanted) || contains(wanted.cidr, old.cidr);
}
