import tls from 'node:tls';
import { Faults } from '../../landscape/control/faults.ts';
import { RequestLog } from '../../landscape/control/request-log.ts';
import { AccessTokens } from '../../landscape/director/access-tokens.ts';
import { Director as DirectorService } from '../../landscape/director/director.ts';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { startWebServer } from '../../landscape/web-server.ts';
import type { Director } from '../../src/director/director.ts';
import { directorClient } from '../../src/director/director-client.ts';
import type { OAuthCredentials } from '../../src/director/oauth-tokens.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Tenant } from '../../src/domain/ids.ts';
import { Secret } from '../../src/domain/secret.ts';
import { silentLog } from '../harness/silent-log.ts';

export const tenantA = 'tenant-a' as Tenant;
export const tenantB = 'tenant-b' as Tenant;

export interface DirectorWorld {
  /** Our client. */
  readonly client: Director & { close(): Promise<void> };
  /** The landscape's Director. */
  readonly director: DirectorService;
  readonly accessTokens: AccessTokens;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly url: string;
  readonly credentials: OAuthCredentials;
  stop(): Promise<void>;
}

/** The landscape's Director with its token endpoint over TLS, and a client of ours for it. */
export async function startDirectorWorld(options: { readonly clock?: Clock } = {}): Promise<DirectorWorld> {
  const authority = await createCertificateAuthority({ name: 'director-test' });
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.certificate]);
  const { key, certificate } = await authority.issueServerCertificate();
  const accessTokens = new AccessTokens({ clientId: 'provisioner', clientSecret: 'p+s s:w/ö' });
  const director = new DirectorService({
    tenants: [tenantA, tenantB],
    tokens: accessTokens,
    connectorURL: 'https://connector.local/graphql',
  });
  const faults = new Faults();
  const requests = new RequestLog();
  const server = await startWebServer({
    port: 0,
    credentials: { key, cert: certificate },
    faults,
    requests,
    routes: () => [
      { prefix: '/oauth2/token', target: 'oauth', handle: (request) => accessTokens.handle(request) },
      { prefix: '/director/graphql', target: 'director', handle: (request) => director.handle(request) },
    ],
  });
  const url = `${server.url}/director/graphql`;
  const credentials: OAuthCredentials = {
    clientId: 'provisioner',
    clientSecret: new Secret('p+s s:w/ö'),
    tokensEndpoint: `${server.url}/oauth2/token`,
  };
  const client = directorClient({ url, readCredentials: async () => credentials, log: silentLog, ...options });
  return {
    client,
    director,
    accessTokens,
    faults,
    requests,
    url,
    credentials,
    async stop() {
      await client.close();
      await server.close();
    },
  };
}
