import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Every page of prose, by its path from the root of the project. */
export const pages: readonly string[] = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted();

/** A fenced block. */
export interface Block {
  /** Empty when the fence names none. */
  readonly language: string;
  readonly text: string;
  /** Of its fence, from 1. */
  readonly line: number;
  /** The comment right above it, which readers do not see; empty when there is none. */
  readonly remark: string;
}

export function readPage(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

export function readBlocks(page: string): readonly Block[] {
  const fence = /(?:^<!--(?<remark>.*)-->\s*\n)?^```(?<language>\S*).*\n(?<text>[\s\S]*?)^```$/gm;
  return [...page.matchAll(fence)].map((found) => {
    const { remark = '', language = '', text = '' } = found.groups ?? {};
    const before = page.slice(0, found.index + found[0].indexOf('```'));
    return { language, text, line: before.split('\n').length, remark: remark.trim() };
  });
}
