import { request } from 'undici';
import { connectionsTo } from '../downloads.ts';

/** How an address answers, without what is there. */
export interface SourceAnswer {
  readonly status: number;
  readonly location?: string | undefined;
  readonly contentType?: string | undefined;
}

/** Throws `PrivateAddress` for a name that has one, another error when nobody answers. Follows no redirect. */
export type AskSource = (url: URL, signal: AbortSignal) => Promise<SourceAnswer>;

/** Asks with HEAD, and where that is refused with GET for one byte. Its connections end with the question. */
export function sourceAsker({ privateAddresses }: { readonly privateAddresses: 'allowed' | 'refused' }): AskSource {
  return async (url, signal) => {
    const dispatcher = connectionsTo(privateAddresses);
    const ask = async (method: 'HEAD' | 'GET', headers: Readonly<Record<string, string>> = {}) => {
      const answer = await request(url, { method, headers, dispatcher, signal });
      // A server may send everything in spite of the range; its connection is closed soon.
      answer.body.dump().catch(() => {});
      return { status: answer.statusCode, ...readHeaders(answer.headers) };
    };
    try {
      const answer = await ask('HEAD');
      return answer.status < 400 ? answer : await ask('GET', { range: 'bytes=0-0' });
    } finally {
      await dispatcher.destroy();
    }
  };
}

function readHeaders({
  location,
  'content-type': contentType,
}: Readonly<Record<string, string | string[] | undefined>>): Omit<SourceAnswer, 'status'> {
  return {
    ...(typeof location === 'string' && { location }),
    ...(typeof contentType === 'string' && { contentType }),
  };
}
