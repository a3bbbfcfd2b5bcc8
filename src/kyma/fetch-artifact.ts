import type { FetchedArtifact } from './describe-module-release.ts';
import { Downloads } from './downloads.ts';
import { parseManifest } from './manifest.ts';
import { sha256Of } from './sha256-of.ts';

/**
 * Fetches a file of a release, for somebody who vouches for it, and computes its digest. `redirectHosts` are those that
 * it came from beside the address itself. Over HTTPS only, bounded in size and time. Throws an Error that says why not.
 */
export async function fetchArtifact(
  address: string,
): Promise<FetchedArtifact & { readonly redirectHosts: readonly string[] }> {
  const url = new URL(address);
  const downloads = new Downloads({ privateAddresses: 'allowed' });
  try {
    const what = { url, what: 'file', namedBy: 'the address', hosts: new Set([url.host]), redirects: 'any' } as const;
    const { bytes, redirectHosts } = await downloads.get(what);
    const reference = { url: address, sha256: sha256Of(bytes) };
    return { reference, objects: parseManifest(bytes.toString('utf8')), redirectHosts };
  } finally {
    await downloads.close();
  }
}
