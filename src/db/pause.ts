import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, and throws the signal's reason when it aborts first. */
export async function pause(millis: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(millis, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
