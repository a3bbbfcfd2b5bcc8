import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectionForms, type SslMode } from '../../src/db/connection-form.ts';
import { Database } from '../../src/db/database.ts';
import { statement } from '../../src/db/statement.ts';
import { silentLog } from '../harness/silent-log.ts';
import { startTlsServer, type TlsServer } from './support/tls-server.ts';

const isEncrypted = statement<{ ssl: boolean }>(
  'is-encrypted',
  'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
);

let tls: TlsServer;
before(async () => {
  tls = await startTlsServer();
});
const opened: Database[] = [];
after(async () => {
  for (const database of opened) await database.close();
});

/** `encrypted`, `clear`, or the error. */
async function connect(sslMode: SslMode, sslRootCert: string | undefined, host: string): Promise<string> {
  const { port, user, password } = tls.server;
  const settings = { host, port, user, password, name: 'template1', sslMode };
  const database = new Database({
    settings: sslRootCert === undefined ? settings : { ...settings, sslRootCert },
    log: silentLog,
  });
  opened.push(database);
  try {
    const [row] = await database.run(isEncrypted, []);
    return row?.ssl ? 'encrypted' : 'clear';
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `error: ${(cause as Error).message}`;
  } finally {
    opened.splice(opened.indexOf(database), 1);
    await database.close();
  }
}

const both = 'host';
const onlyTls = 'hostssl';
const onlyClear = 'hostnossl';
const address = '127.0.0.1';
/** Another name for the same address, which the certificate does not have. */
const alias = '127.1';

/** Server accepts, sslmode, root certificate, host: what comes of it. */
const cases: readonly [
  typeof both | 'hostssl' | 'hostnossl',
  SslMode,
  'none' | 'authority' | 'stranger',
  string,
  RegExp,
][] = [
  [both, 'disable', 'none', address, /^clear$/],
  [both, 'allow', 'none', address, /^clear$/],
  [both, 'prefer', 'none', address, /^encrypted$/],
  [both, 'require', 'none', address, /^encrypted$/],
  [both, 'require', 'authority', address, /^encrypted$/],
  [both, 'require', 'stranger', address, /^error: .*(certificate|verif|issuer)/],
  [both, 'prefer', 'stranger', address, /^clear$/],
  [both, 'verify-ca', 'authority', address, /^encrypted$/],
  [both, 'verify-ca', 'stranger', address, /^error: .*(certificate|verif|issuer)/],
  [both, 'verify-full', 'authority', 'localhost', /^encrypted$/],
  [both, 'verify-full', 'authority', address, /^encrypted$/],
  [both, 'verify-full', 'authority', alias, /^error: .*altnames/],
  [both, 'verify-ca', 'authority', alias, /^encrypted$/],
  [both, 'verify-full', 'stranger', 'localhost', /^error: .*(certificate|verif|issuer)/],
  [onlyTls, 'disable', 'none', address, /^error: .*no encryption/],
  [onlyTls, 'allow', 'none', address, /^encrypted$/],
  [onlyTls, 'prefer', 'none', address, /^encrypted$/],
  [onlyClear, 'prefer', 'none', address, /^clear$/],
  [onlyClear, 'require', 'none', address, /^error: .*SSL encryption/],
];

for (const [accepts, sslMode, root, host, expected] of cases) {
  test(`sslmode ${sslMode} with root certificate ${root} to ${host} (${accepts}) means ${expected.source}`, async () => {
    await tls.accept(accepts);
    const file = root === 'none' ? undefined : tls[root];
    assert.match(await connect(sslMode, file, host), expected);
  });
}

for (const [sslMode, sslRootCert, reason] of [
  ['verify-ca', undefined, /needs a root certificate/],
  ['verify-full', undefined, /needs a root certificate/],
  ['verify-ca', 'system', /too weak/],
  ['require', '/does/not/exist.pem', /ENOENT/],
] as const) {
  test(`sslmode ${sslMode} with root certificate ${sslRootCert} is refused`, () => {
    const settings = sslRootCert === undefined ? { sslMode } : { sslMode, sslRootCert };
    assert.throws(() => connectionForms(settings), reason);
  });
}
