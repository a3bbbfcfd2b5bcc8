import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findPostgresBinaries, locatePostgres } from '../../../src/db/embedded/postgres-binaries.ts';
import { canReach, pickAccount } from '../../../src/db/embedded/server-account.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const onlyLinux = process.platform !== 'linux' && 'only the package for Linux needs links';

test('programs whose install script did not run get their library links', { skip: onlyLinux }, async () => {
  const installation = await installWithoutLinks();
  const { initdb } = await findPostgresBinaries({ account: undefined, log: silentLog, installation });
  assert.ok(initdb.startsWith(installation.native));
  assert.match(execFileSync(initdb, ['--version'], { encoding: 'utf8' }), /PostgreSQL/);
});

test('root uses a copy when another user cannot reach the programs', {
  skip: process.getuid?.() !== 0 && 'needs root',
}, async () => {
  const installation = await installWithoutLinks();
  chmodSync(path.dirname(installation.native), 0o700);
  const copies = temporaryFolder();
  const account = { uid: 65_534, gid: 65_534 };
  const search = () => findPostgresBinaries({ account, log: silentLog, installation, copies: () => copies });

  const [first, second] = await Promise.all([search(), search()]);
  assert.ok(first.postgres.startsWith(copies));
  assert.deepEqual(second, first);
  assert.match(execFileSync(first.initdb, ['--version'], { encoding: 'utf8', ...account, cwd: '/' }), /PostgreSQL/);
  assert.equal(readdirSync(copies).length, 1, 'drafts are removed');
});

for (const { passwd, expected, reason } of [
  {
    passwd: 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\npostgres:x:101:104::/:/bin/sh',
    expected: { uid: 101, gid: 104 },
    reason: 'postgres is preferred',
  },
  {
    passwd: 'root:x:0:0::/root:/bin/sh\nalice:x:1000:1000::/:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n',
    expected: { uid: 65_534, gid: 65_534 },
    reason: 'nobody is next',
  },
  {
    passwd: 'root:*:0:0::/root:/bin/sh\nnobody:*:-2:-2::/:/bin/false\nalice:*:501:20::/:/bin/sh',
    expected: { uid: 501, gid: 20 },
    reason: 'a negative number is no account',
  },
  { passwd: 'root:x:0:0::/root:/bin/sh\n', expected: undefined, reason: 'root alone is not enough' },
]) {
  test(`the account for the server: ${reason}`, () => {
    assert.deepEqual(pickAccount(passwd), expected);
  });
}

test('a folder is within reach only when every folder above it is', () => {
  const top = temporaryFolder();
  const inner = path.join(top, 'a', 'b');
  mkdirSync(inner, { recursive: true });
  const stranger = { uid: 54_321, gid: 54_321 };
  const { uid } = statSync(top);
  chmodSync(top, 0o711);
  assert.equal(canReach(inner, stranger), true);
  chmodSync(top, 0o700);
  assert.equal(canReach(inner, stranger), false);
  assert.equal(canReach(inner, { uid, gid: 54_321 }), true, 'the owner may');
  assert.equal(canReach(inner, undefined), true, 'no other account is involved');
});

async function installWithoutLinks(): Promise<{ native: string; version: string }> {
  const { native, version } = await locatePostgres();
  const copy = path.join(temporaryFolder(), 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const libraries = path.join(copy, 'lib');
  for (const name of readdirSync(libraries)) {
    const file = path.join(libraries, name);
    if (lstatSync(file).isSymbolicLink()) rmSync(file);
  }
  assert.throws(() => execFileSync(path.join(copy, 'bin', 'initdb'), ['--version'], { stdio: 'ignore' }));
  return { native: copy, version };
}
