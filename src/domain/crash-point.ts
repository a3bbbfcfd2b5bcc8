const stagePlaces = ['before-run', 'before-commit', 'after-commit', 'before-note', 'after-note'] as const;
const registrationPlaces = ['after-registration-intent', 'after-registration'] as const;

/** A moment beside something that becomes durable or has an effect outside, such as `before-commit:Provision/CreatingCluster`. */
export type CrashPlace = `${(typeof stagePlaces)[number]}:${string}/${string}` | (typeof registrationPlaces)[number];

/** Told of each place that is reached. */
export type CrashPoint = (place: CrashPlace) => void;

/** What a place looks like, for whoever writes one. */
export const crashPlaces = `${stagePlaces.join(', ')} with :<operation>/<stage>; ${registrationPlaces.join(', ')}`;

/** Kills this process, as kill -9 does, when it reaches `armed`; does nothing when no place is armed. For tests. */
export function crashAt(armed: CrashPlace | undefined): CrashPoint {
  return (place) => {
    if (place === armed) process.kill(process.pid, 'SIGKILL');
  };
}

/** Undefined when no place looks like this. */
export function parseCrashPlace(text: string): CrashPlace | undefined {
  const stagePlace = new RegExp(`^(${stagePlaces.join('|')}):\\w+/\\w+$`);
  const isPlace = stagePlace.test(text) || registrationPlaces.some((place) => place === text);
  return isPlace ? (text as CrashPlace) : undefined;
}
