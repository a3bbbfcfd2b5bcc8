import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Faults } from '../../landscape/control/faults.ts';
import { RequestLog } from '../../landscape/control/request-log.ts';
import { AccessTokens } from '../../landscape/director/access-tokens.ts';
import { directorClient as clientOfGateway, Director as DirectorService } from '../../landscape/director/director.ts';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { startWebServer, type WebServer } from '../../landscape/web-server.ts';
import type { Director } from '../../src/director/director.ts';
import { directorClient } from '../../src/director/director-client.ts';
import { checkDirectorTls, type DirectorTls } from '../../src/director/director-tls.ts';
import { DirectorUnavailable } from '../../src/director/director-unavailable.ts';
import { Failure } from '../../src/domain/failures.ts';
import { newRuntimeId, type Tenant } from '../../src/domain/ids.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const tenant = 'tenant-a' as Tenant;
/** Nobody trusts it unless told to. */
const authority = createCertificateAuthority({ name: 'gateway' });
const strangers = createCertificateAuthority({ name: 'strangers' });
const folder = temporaryFolder();
const requests = new RequestLog();
let gateway: WebServer;

before(async () => {
  const { key, certificate: cert } = authority.issueServerCertificate();
  const tokens = new AccessTokens({ clientId: 'nobody', clientSecret: 'nothing' });
  const director = new DirectorService({ tenants: [tenant], tokens, connectorURL: 'https://connector.local/graphql' });
  gateway = await startWebServer({
    ...{ port: 0, credentials: { key, cert }, clientAuthority: authority.certificate, faults: new Faults(), requests },
    routes: () => [
      { prefix: '/director/graphql', target: 'director', handle: (request) => director.handleCertified(request) },
    ],
  });
});
after(() => gateway.close());

function file(name: string, content: string): string {
  const target = path.join(folder, name);
  // In one step, as kubelet replaces files of a Secret.
  writeFileSync(`${target}.new`, content);
  renameSync(`${target}.new`, target);
  return target;
}

function identity(name: string, issuer = authority) {
  const { certificate, key } = issuer.issueClientCertificate(clientOfGateway);
  return { certificateFile: file(`${name}.crt`, certificate), keyFile: file(`${name}.key`, key) };
}

async function use<Result>(tls: DirectorTls, work: (client: Director) => Promise<Result>): Promise<Result> {
  const url = `${gateway.url}/director/graphql`;
  const client = directorClient({ url, readCredentials: undefined, tls, log: silentLog });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const look = (client: Director) => client.runtime(newRuntimeId(), { tenant });

test('a gateway whose authority is in the file is trusted, and one whose is not is refused', async () => {
  const clientCertificate = identity('one');
  const authorityFile = file('ca.crt', authority.certificate);
  assert.equal(await use({ authorityFile, clientCertificate }, look), undefined);
  await assert.rejects(use({ clientCertificate }, look), (error) => {
    assert.ok(error instanceof DirectorUnavailable);
    assert.equal(error.fate, 'not-done');
    assert.match(error.message, /UNABLE_TO_|SELF_SIGNED/);
    return true;
  });
});

test('with a certificate no access token is asked for, and one that the gateway does not know is told', async () => {
  const authorityFile = file('ca.crt', authority.certificate);
  requests.clear();
  const id = await use({ authorityFile, clientCertificate: identity('two') }, (client) =>
    client.register({ name: 'one', description: undefined, labels: {} }, { tenant }),
  );
  assert.ok(id);
  assert.deepEqual(requests.counters(), { 'director POST': 1 });
  for (const clientCertificate of [undefined, identity('stranger', strangers)]) {
    await assert.rejects(use({ authorityFile, clientCertificate }, look), (error) => {
      assert.ok(error instanceof Failure);
      assert.equal(error.code, 'DIRECTOR_UNAUTHORIZED');
      return true;
    });
  }
});

test('files that change are read again; what cannot be used leaves the last good ones in force', async () => {
  const authorityFile = file('trusted.crt', authority.certificate);
  const clientCertificate = identity('changing', strangers);
  await use({ authorityFile, clientCertificate }, async (client) => {
    await assert.rejects(look(client), /refused our calls/);
    identity('changing');
    // The client uses its connection for as long as it lives.
    gateway.dropConnections();
    await eventually('the new certificate to be shown', async () => (await look(client)) === undefined);
    file('changing.key', 'no key at all');
    gateway.dropConnections();
    await eventually('the last good one to be shown', async () => (await look(client)) === undefined);
  });
});

test('files that cannot be used are named, without what is in them', async () => {
  const good = identity('good');
  const other = identity('other');
  const cases: { tls: DirectorTls; pattern: RegExp }[] = [
    { tls: { authorityFile: path.join(folder, 'nowhere.crt') }, pattern: /cannot read .*nowhere\.crt: ENOENT/ },
    { tls: { authorityFile: file('text.crt', 'hello') }, pattern: /text\.crt does not hold what it should, in PEM/ },
    {
      tls: { clientCertificate: { ...good, keyFile: other.keyFile } },
      pattern: /cannot use .*good\.crt, .*other\.key: .*key values mismatch/,
    },
    {
      tls: { clientCertificate: { ...good, keyFile: good.certificateFile } },
      pattern: /good\.crt does not hold what it should, in PEM: .*PRIVATE KEY/,
    },
  ];
  for (const { tls, pattern } of cases) await assert.rejects(checkDirectorTls(tls), pattern);
  await checkDirectorTls({ clientCertificate: good, authorityFile: file('ca.crt', authority.certificate) });
});
