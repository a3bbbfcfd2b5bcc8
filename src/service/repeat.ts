import { setTimeout as pause } from 'node:timers/promises';

/** Work that is done again and again, the first time at once. `stop` aborts what is under way and waits for it. */
export interface Repetition {
  stop(): Promise<void>;
}

export function repeat({
  everyMilliseconds,
  work,
  onError,
}: {
  everyMilliseconds: number;
  work: (signal: AbortSignal) => Promise<unknown>;
  onError: (error: unknown) => void;
}): Repetition {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      await work(signal).catch((error) => {
        if (!signal.aborted) onError(error);
      });
      await pause(everyMilliseconds, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
