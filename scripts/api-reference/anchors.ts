/** The anchors that GitHub gives the headings of one page: a heading that comes again gets a number. */
export class Anchors {
  readonly #seen = new Map<string, number>();
  readonly #targets = new Map<string, string>();

  /** To be called in the order of the page. With `target`, `of` answers this one for the text. */
  add(text: string, { target = false } = {}): string {
    const plain = text
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const before = this.#seen.get(plain) ?? 0;
    this.#seen.set(plain, before + 1);
    const anchor = before === 0 ? plain : `${plain}-${before}`;
    if (target) this.#targets.set(text, anchor);
    return anchor;
  }

  of(text: string): string | undefined {
    return this.#targets.get(text);
  }
}
