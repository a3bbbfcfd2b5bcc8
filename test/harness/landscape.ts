import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { type Landscape, startLandscape } from '../../landscape/landscape.ts';
import { atEnd } from './at-end.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Pace = Parameters<typeof startLandscape>[0]['pace'];

/**
 * The outside world for the tests of one file, stopped when the file ends. Clients in this process trust it from now
 * on; for a process of its own, its environment names the certificate.
 */
export async function testLandscape({ pace = 'instant' }: { pace?: Pace } = {}): Promise<Landscape> {
  const landscape = await startLandscape({ directory: temporaryFolder(), pace });
  atEnd(() => landscape.stop());
  trustLandscape(landscape);
  return landscape;
}

/** Lets clients in this process trust the landscape. */
export function trustLandscape(landscape: Landscape): void {
  const authority = landscape.environment.NODE_EXTRA_CA_CERTS;
  if (authority === undefined) throw new Error('the landscape does not say which certificate authority it uses');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(authority, 'utf8')]);
}
