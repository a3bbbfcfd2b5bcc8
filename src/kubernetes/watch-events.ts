import { StringDecoder } from 'node:string_decoder';
import type { KubernetesObject, WatchEvent } from './kubernetes-client.ts';
import { KubernetesError, readStatus, UnreachableError } from './kubernetes-error.ts';
import { describe } from './transport.ts';

const maxEventLength = 32 * 1024 * 1024;

/**
 * The events of a watch's answer, one JSON object per line. Ends when the server ends it between two events; throws
 * UnreachableError when it breaks off, KubernetesError when the server ends it with an error (410: too old).
 */
export async function* readWatchEvents(body: AsyncIterable<Buffer>): AsyncGenerator<WatchEvent> {
  const decoder = new StringDecoder('utf8');
  const parts: string[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      const lines = decoder.write(chunk).split('\n');
      const rest = lines.pop() ?? '';
      for (const line of lines) {
        const whole = parts.length === 0 ? line : parts.join('') + line;
        parts.length = 0;
        length = 0;
        if (whole.trim() !== '') yield readEvent(whole);
      }
      if (rest !== '') parts.push(rest);
      length += rest.length;
      if (length > maxEventLength) throw new Error(`an event is longer than ${maxEventLength} characters`);
    }
  } catch (error) {
    if (error instanceof KubernetesError) throw error;
    throw new UnreachableError(`the watch broke off: ${describe(error)}`, { cause: error });
  }
  // The last line may lack its end; what was cut off is not JSON.
  const last = parts.join('');
  if (last.trim() !== '') yield readEvent(last);
}

function readEvent(line: string): WatchEvent {
  const { type, object } = parseEvent(line);
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      if (!object?.metadata?.name) throw new Error(`a ${type} event without an object`);
      return { type, object };
    case 'BOOKMARK':
      return { type, resourceVersion: object?.metadata?.resourceVersion ?? '' };
    case 'ERROR': {
      const status = readStatus(object);
      throw new KubernetesError({
        status: status?.code ?? 500,
        reason: status?.reason ?? 'Unknown',
        message: status?.message ?? 'the watch ended with an error',
        causes: status?.causes ?? [],
      });
    }
    default:
      throw new Error('an event of an unknown type');
  }
}

function parseEvent(line: string): { readonly type?: unknown; readonly object?: KubernetesObject } {
  try {
    return JSON.parse(line);
  } catch {
    throw new UnreachableError('the watch broke off in the middle of an event');
  }
}
