import { z } from 'zod';
import type { GardenerConfig } from '../../../domain/gardener-config.ts';

const time = z
  .string()
  .regex(/^([01]\d|2[0-3])[0-5]\d[0-5]\d[+-](0\d|1[0-4])[0-5]\d$/, 'must be a time such as 220000+0100 (HHMMSS+ZONE)');
const window = z
  .strictObject({ begin: time, end: time })
  // Gardener refuses others, which would be every cluster of the region.
  .refine(({ begin, end }) => isLongEnough(begin, end), 'must last from 30 minutes to 6 hours');

/** When Gardener may update clusters, by their region: `{ "<region>": { "begin": "220000+0000", "end": "230000+0000" } }`. */
export const maintenanceWindows = z.record(z.string(), window);

/** As in the original, only clusters in production have a window of the operator's choice; Gardener draws the others'. */
export function hasWindow({ purpose }: GardenerConfig): boolean {
  return purpose === 'production';
}

function isLongEnough(begin: string, end: string): boolean {
  const minutes = (minuteOf(end) - minuteOf(begin) + 24 * 60) % (24 * 60);
  return minutes >= 30 && minutes <= 6 * 60;
}

/** Of the day in UTC. */
function minuteOf(text: string): number {
  const [, hours, minutes, sign, zoneHours, zoneMinutes] = /^(..)(..)..([+-])(..)(..)$/.exec(text) ?? [];
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  return Number(hours) * 60 + Number(minutes) - zone;
}
