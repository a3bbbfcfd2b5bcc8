/**
 * A statement that the server prepares once for each connection, known by its name. `Row` is the shape of what it
 * answers; the type parameter is the only place where it is kept.
 */
export interface Statement<Row> {
  /** Undefined: the server plans it anew each time, for the values that it is sent with. */
  readonly name: string | undefined;
  readonly text: string;
  /** Never set; it carries the type. */
  readonly row?: Row;
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text };
}

/** For a statement whose best plan depends on the values: planning costs it about half a millisecond each time. */
export function plannedByValues<Row>(text: string): Statement<Row> {
  return { name: undefined, text };
}
