/**
 * `old`: a Garden of before 1.92, in which a Shoot names its CloudProfile by `cloudProfileName` and its credentials by
 * `secretBindingName`, and in which nothing else is known.
 */
export type GardenAge = 'today' | 'old';
