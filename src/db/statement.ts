/**
 * A statement that the server prepares once for each connection, known by its name. `Row` is the shape of what it
 * answers; the type parameter is the only place where it is kept.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set; it carries the type. */
  readonly row?: Row;
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text };
}
