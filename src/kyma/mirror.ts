import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Failure } from '../domain/failures.ts';

/**
 * Where a mirror has the file of an address: under the host (a port follows with `_`) and the path of the original, such
 * as `https://mirror.example.com/kyma/github.com/kyma-project/istio/releases/download/1.2.0/istio-manager.yaml`. Throws
 * KYMA_ARTIFACT_INVALID for an address that cannot be such a path.
 */
export function mirrorAddress(mirror: URL, origin: URL): URL {
  const segments = origin.pathname.split('/').slice(1).map(decode);
  if (origin.search || segments.some((segment) => !segment || segment === '..' || /[/\\\0]/.test(segment))) {
    throw new Failure('KYMA_ARTIFACT_INVALID', `the Kyma artifact ${origin.href} cannot be in a mirror: its path`);
  }
  const host = origin.port ? `${origin.hostname}_${origin.port}` : origin.hostname;
  const path = [host, ...segments].map(encodeURIComponent).join('/');
  return new URL(`${mirror.href.replace(/\/$/, '')}/${path}`);
}

/** The file of a mirror that is a folder. Throws KYMA_ARTIFACT_INVALID when it is not there, or larger than `mostBytes`. */
export async function readMirrored(url: URL, mostBytes: number): Promise<Buffer> {
  const refuse = (reason: string, cause?: unknown) =>
    new Failure('KYMA_ARTIFACT_INVALID', `the Kyma artifact ${url.href} cannot be used: ${reason}`, { cause });
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(fileURLToPath(url));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw refuse('it is not in the mirror', error);
    throw error;
  }
  try {
    const { size } = await file.stat();
    if (size > mostBytes) throw refuse(`it is larger than ${mostBytes} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Undefined for what is not encoded as it has to be. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
