/** Told when an operation may be worth a claim: it is new, woken or released. No payload, so that many become one. */
export const operationDueChannel = 'operation_due';

/** Told with each appended event: `<operation id> <runtime id> <sequence of its last event>`. For live updates. */
export const operationEventChannel = 'operation_event';
