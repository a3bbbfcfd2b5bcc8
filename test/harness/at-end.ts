import { after } from 'node:test';

const opened = new AsyncDisposableStack();

after(() => opened.disposeAsync());

/** Runs when the test file ends; what was opened last is closed first. */
export function atEnd(close: () => Promise<unknown>): void {
  opened.defer(async () => {
    await close();
  });
}
