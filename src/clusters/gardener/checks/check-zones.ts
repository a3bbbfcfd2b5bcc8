import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import type { ProviderSupport } from '../providers/provider-support.ts';
import type { Mistake } from './mistake.ts';

export function* checkZones(config: GardenerConfig, provider: ProviderSupport): Generator<Mistake> {
  const path = provider.zonesPath(config);
  const zones = provider.zones(config);
  if (zones.length === 0 && provider.zonesRequired) {
    yield { path, message: 'no zone is given; the nodes need at least one' };
  }
  const twice = new Set(zones.filter((zone, index) => zones.indexOf(zone) !== index));
  for (const zone of twice) yield { path, message: `zone "${zone}" is given more than once` };
  for (const zone of new Set(zones)) {
    const mistake = provider.zoneMistake(zone, config.region);
    if (mistake !== undefined) yield { path, message: `zone "${zone}" ${mistake}` };
  }
  if (zones.length > config.autoScalerMax) {
    const message = `autoScalerMax ${config.autoScalerMax} is less than the number of zones, ${zones.length}`;
    yield { path: 'autoScalerMax', message };
  }
}
