export const plannedActions = [
  'Cancel',
  'Register',
  'Create',
  'Change',
  'Install',
  'Uninstall',
  'Delete',
  'Unregister',
] as const;
export type PlannedAction = (typeof plannedActions)[number];

/** A field of the configuration that becomes another one. As text; undefined where there is none. */
export interface FieldChange {
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Something that an operation would send, if it were accepted. Holds no secret. */
export interface PlannedChange {
  readonly action: PlannedAction;
  /** Whom it would be sent to, such as `gardener`. */
  readonly to: string;
  /** Such as `Shoot demo`. */
  readonly subject: string;
  /** As it would be sent; undefined when no more than the subject would. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Of what exists already and is changed. */
  readonly fields?: readonly FieldChange[];
}

/** With the stage that would send it; undefined for what happens before an operation is accepted. */
export interface PlannedStep extends PlannedChange {
  readonly stage: string | undefined;
}
