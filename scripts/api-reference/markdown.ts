export function heading(level: number, text: string): string {
  return `${'#'.repeat(level)} ${text}\n`;
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A description as the schema has it, with its errors as a paragraph of their own; nothing when there is none. */
export function paragraphs(text: string | null | undefined): string {
  return text ? `${text.trim().replace(/([^\n])\n(Errors: )/, '$1\n\n$2')}\n` : '';
}

/** Texts in one cell of a table. */
export function cell(texts: string | null | undefined | readonly (string | null | undefined)[]): string {
  const given = [texts].flat().filter((text) => text);
  return given
    .join(' ')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

/** Columns in which no row has anything are left out. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = titles.map((_, index) => rows.some((row) => row[index] !== ''));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, index) => used[index]).join(' | ')} |\n`;
  return line(titles) + line(titles.map(() => '-')) + rows.map(line).join('');
}
