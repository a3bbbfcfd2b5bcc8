/** An empty text counts as not given, as it did for the original's clients, which cannot leave a field out. */
export function given(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text.trim() === '' ? undefined : text;
}

/** What is in a list that may hold null. */
export function withoutNulls<Member>(list: readonly (Member | null | undefined)[] | null | undefined): Member[] {
  return (list ?? []).filter((member) => member !== null && member !== undefined);
}

type Given<Fields extends object> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined | null> };

/** The fields that have a value. */
export function onlyGiven<Fields extends object>(fields: Fields): Given<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as Given<Fields>;
}
