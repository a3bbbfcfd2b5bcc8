/** Why a run was told to end early. */
export type AbortReason =
  /** The stage's deadline passed. */
  | 'deadline'
  /** The operation is not ours any more, or may not be. */
  | 'not-ours'
  /** The process stops. */
  | 'stopping'
  /** The caller wants the operation to end. */
  | 'cancelled';

/** The reason of a stage's signal, and what a stage that honours it throws. */
export class RunAbort extends Error {
  override readonly name = 'AbortError';
  readonly reason: AbortReason;

  constructor(reason: AbortReason) {
    super(`the run was aborted: ${reason}`);
    this.reason = reason;
  }
}
