/** A mistake at a path below `gardenerConfig`; the empty path is the whole of it. */
export interface Mistake {
  readonly path: string;
  readonly message: string;
}
