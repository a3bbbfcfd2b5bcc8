type LabelFilter = Readonly<Record<string, unknown>>;

/** Those that a filter asks for; every Runtime has none of them. */
export function labelsIn(labels: LabelFilter | null | undefined): LabelFilter | undefined {
  return labels && Object.keys(labels).length > 0 ? labels : undefined;
}
