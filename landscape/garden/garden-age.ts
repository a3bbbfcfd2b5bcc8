/**
 * `old`: a Garden of before 1.92, in which a Shoot names its CloudProfile by `cloudProfileName` and its credentials by
 * `secretBindingName`, access is restricted by a label of the Seed, and providers of DNS have a `secretName`: nothing else
 * is known.
 */
export type GardenAge = 'today' | 'old';
