/** Told when an operation may be worth a claim: it is new, woken or released. No payload, so that many become one. */
export const operationDueChannel = 'operation_due';

/** Told with each appended event, by a trigger: the id of its operation. For live updates. */
export const operationEventChannel = 'operation_event';

/** Told when the caller wants an operation to end that a replica is running: its id. */
export const operationCancelChannel = 'operation_cancel';
