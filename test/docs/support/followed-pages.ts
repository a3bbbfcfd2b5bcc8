import { pages } from './read-page.ts';

/** Pages whose every example is run by test/docs/tutorials.test.ts. */
export const followedPages: readonly string[] = pages.filter(
  (page) => page.startsWith('docs/tutorials/') || page === 'docs/operating.md',
);
