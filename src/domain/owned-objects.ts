/** Something outside that is marked as made for a Runtime. */
export interface OwnedObject extends OwnedName {
  /** The mark of the installation that made it; undefined when it bears none, such as from before there were marks. */
  readonly installation: string | undefined;
  /** Of the tenant that it was made for, as `tenantMark` has it; undefined when nothing says so. */
  readonly tenantMark: string | undefined;
  /** The intent that was written down before it was made; undefined where there are no intents. */
  readonly intent?: string | undefined;
  readonly createdAt: Date | undefined;
}

/** Tells one thing from all others that are or were there. */
export interface OwnedName {
  /** Not even a later one of the same name has it. */
  readonly uid: string;
  readonly name: string;
  /** Within which the name is unique; empty where names are unique as such. */
  readonly place: string;
  /** A UUID: the Runtime that it was made for. */
  readonly runtimeId: string;
}

export interface OwnedSearch {
  readonly objects: readonly OwnedObject[];
  /** What the search cost upstream. */
  readonly requests: number;
}

/**
 * What bears the mark of this service in one part of the outside world, whether or not its Runtime is known. A `scope` is
 * what can be searched at once, such as a tenant. What is refused is thrown as a Failure; any other error is transient.
 */
export interface OwnedObjects {
  /** All that there is; throws when it cannot be sure of that. May lag behind. */
  search(scope: string, signal: AbortSignal): Promise<OwnedSearch>;
  /** Asked of the outside itself. */
  exists(object: OwnedName, scope: string, signal: AbortSignal): Promise<boolean>;
  /** Begins to remove it, or begins it again when that was given up. What is gone, or is another one now, is left alone. */
  remove(object: OwnedName, scope: string, signal: AbortSignal): Promise<void>;
}
