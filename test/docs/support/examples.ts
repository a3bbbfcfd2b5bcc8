import type { Block } from './read-page.ts';

/** Something that a reader does, and what the page says comes of it. */
export type Example = {
  readonly line: number;
  /** What the page wants of the landscape from here on, which no reader sees; empty: nothing new. */
  readonly landscape: string;
} & (
  | {
      readonly kind: 'graphql';
      readonly document: string;
      readonly variables: string;
      /** Answers that follow one another; a query is sent until they have come. */
      readonly answers: readonly string[];
    }
  | { readonly kind: 'shell'; readonly script: string; readonly prints: readonly Output[] }
  | { readonly kind: 'settings'; readonly script: string }
);

export interface Output {
  readonly language: 'json' | 'text';
  readonly text: string;
}

/**
 * Puts the blocks of a page together: a `json` block after a `graphql` block is its variables or, when it has `data` or
 * `errors`, an answer; a `json` or `text` block after a `sh` block is what that prints. Throws for a block that belongs
 * to nothing, so that none is forgotten.
 *
 * Remarks (comments above a block): `landscape: <json>` and `not run: <reason>`.
 */
export function readExamples(blocks: readonly Block[]): readonly Example[] {
  const examples: Example[] = [];
  for (const block of blocks) {
    const { language, text, line, remark } = block;
    if (remark.startsWith('not run: ')) continue;
    const landscape = remark.startsWith('landscape: ') ? remark.slice('landscape: '.length) : '';
    const last = examples.at(-1);
    if (language === 'graphql') {
      examples.push({ kind: 'graphql', line, landscape, document: text, variables: '{}', answers: [] });
    } else if (language === 'sh' && isSettings(text)) {
      examples.push({ kind: 'settings', line, landscape, script: text });
    } else if (language === 'sh') {
      examples.push({ kind: 'shell', line, landscape, script: text, prints: [] });
    } else if (language === 'json' && last?.kind === 'graphql') {
      const added = isAnswer(text) ? { answers: [...last.answers, text] } : { variables: text };
      examples[examples.length - 1] = { ...last, ...added };
    } else if ((language === 'json' || language === 'text') && last?.kind === 'shell') {
      examples[examples.length - 1] = { ...last, prints: [...last.prints, { language, text }] };
    } else {
      throw new Error(`line ${line}: a block "${language}" after nothing that it could belong to`);
    }
  }
  return examples;
}

function isAnswer(text: string): boolean {
  const value = JSON.parse(text) as object;
  return 'data' in value || 'errors' in value;
}

/** Nothing but variables of the service. */
function isSettings(script: string): boolean {
  const lines = script.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  return lines.every((line) => /^(export )?[A-Z_]+=/.test(line));
}
