import type { CloudProfiles } from '../cloud-profile/cloud-profiles.ts';
import type { GardenerOrder } from '../gardener-order.ts';
import { providers } from '../providers/providers.ts';
import { checkOffer } from './check-offer.ts';
import type { Mistake } from './mistake.ts';

/** What the order asks for and the newest CloudProfile does not offer; nothing while the profile cannot be read. */
export async function checkWithProfile(profiles: CloudProfiles, order: GardenerOrder): Promise<readonly Mistake[]> {
  const { config } = order.cluster;
  const provider = providers[config.provider];
  const name = provider.cloudProfile(config);
  const profile = await profiles.find(name);
  if (!profile || checkOffer({ config, provider, profile }).length === 0) return [];
  // The operator may have added it a moment ago.
  const newest = await profiles.find(name, { newest: true });
  return newest ? checkOffer({ config, provider, profile: newest }) : [];
}
