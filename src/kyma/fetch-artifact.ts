import { createHash } from 'node:crypto';
import { request } from 'undici';
import type { FetchedArtifact } from './describe-module-release.ts';
import { parseManifest } from './manifest.ts';

const mostRedirects = 3;
const timeoutMillis = 60_000;
const mostBytes = 16 * 1024 * 1024;

/**
 * Fetches a file of a release, for somebody who vouches for it, and computes its digest. `redirectHosts` are those that
 * it came from beside the address itself. Over HTTPS only, bounded in size and time. Throws an Error that says why not.
 */
export async function fetchArtifact(
  address: string,
): Promise<FetchedArtifact & { readonly redirectHosts: readonly string[] }> {
  const signal = AbortSignal.timeout(timeoutMillis);
  const redirectHosts: string[] = [];
  let url = new URL(address);
  for (;;) {
    if (url.protocol !== 'https:') throw new Error(`${url.href}: only https is allowed`);
    const { statusCode, headers, body } = await request(url, { signal });
    if (statusCode === 200) {
      const bytes = await readBounded(body, address);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { reference: { url: address, sha256 }, objects: parseManifest(bytes.toString('utf8')), redirectHosts };
    }
    await body.dump();
    if (statusCode < 300 || statusCode >= 400 || typeof headers.location !== 'string') {
      throw new Error(`${address}: HTTP ${statusCode}`);
    }
    if (redirectHosts.length === mostRedirects)
      throw new Error(`${address}: redirected more than ${mostRedirects} times`);
    url = new URL(headers.location, url);
    redirectHosts.push(url.host);
  }
}

async function readBounded(body: AsyncIterable<Buffer>, address: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`${address}: larger than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
