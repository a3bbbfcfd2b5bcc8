import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { removeDirectory } from '../../src/db/embedded/data-directory.ts';
import { privateFolder } from '../../src/db/embedded/private-folder.ts';
import { pickAccount } from '../../src/db/embedded/server-account.ts';
import { atEnd } from '../harness/at-end.ts';
import { testLandscape } from '../harness/landscape.ts';
import { ServiceProcess } from '../harness/service-process.ts';
import { type Account, cloneProject, giveTo } from './support/clone-project.ts';

const user = findUser();
const skip = user === undefined && 'only root can start it as another user';
const landscape = await testLandscape();

describe('the service in a clone in a folder that is closed to others', { skip }, () => {
  assert.ok(user);
  const home = mkdtempSync(path.join(tmpdir(), 'provisioner-home-'));
  const project = path.join(home, 'provisioner');
  atEnd(async () => rmSync(home, { recursive: true, force: true }));
  const database = () => path.join(project, '.data', 'postgres');

  before(() => {
    cloneProject({ to: project, account: user });
    chmodSync(home, 0o700);
  });

  test('starts for a plain user, whose clone it is, and again', async () => {
    giveTo(user, home);
    for (const _ of ['first', 'again']) {
      const service = await startIn({ project, home, account: user });
      assert.equal(statSync(path.join(database(), 'data')).uid, user.uid);
      assert.ok(lstatSync(path.join(database(), 'data')).isDirectory(), 'the data is in the clone itself');
      assert.equal(await service.stop(), 0);
    }
  });

  test('starts for root, whose clone it is, and again', async () => {
    const root = { uid: 0, gid: 0 };
    rmSync(database(), { recursive: true });
    giveTo(root, home);
    removeCopiesAtEnd();
    // The data lies where the server's own user can reach it.
    atEnd(() => removeDirectory(database()));
    for (const _ of ['first', 'again']) {
      const service = await startIn({ project, home, account: root });
      assert.notEqual(statSync(path.join(database(), 'data')).uid, root.uid);
      assert.equal(await service.stop(), 0);
    }
  });
});

/** As `npm start` does it, until it is ready; on the database that it brings itself. */
async function startIn({ project, home, account }: { project: string; home: string; account: Account }) {
  const node = path.join(project, 'node_modules', '.bin', 'node');
  const service = new ServiceProcess(
    { ...landscapeIn(home, account), HOME: home, NODE_COMPILE_CACHE: path.join(home, 'compile') },
    { directory: project, command: [node, 'scripts/run.mjs', 'src/main.ts'], account },
  );
  await service.waitUntilReady();
  assert.ok(service.log.some(({ msg }) => msg === 'embedded PostgreSQL is running'));
  return service;
}

/** The landscape's files as the account's own: others may not read its kubeconfigs. */
function landscapeIn(home: string, account: Account): Record<string, string> {
  const folder = path.join(home, 'landscape');
  mkdirSync(folder, { recursive: true });
  const environment = Object.entries(landscape.environment).map(([name, value]) => {
    if (!path.isAbsolute(value) || !existsSync(value)) return [name, value];
    const copy = path.join(folder, path.basename(value));
    cpSync(value, copy);
    return [name, copy];
  });
  giveTo(account, folder);
  return Object.fromEntries(environment);
}

/** The copy of PostgreSQL's programs for root stays only where there was one before. */
function removeCopiesAtEnd(): void {
  const folder = privateFolder();
  const earlier = new Set(readdirSync(folder));
  atEnd(async () => {
    const made = readdirSync(folder).filter((name) => name.startsWith('postgres-') && !earlier.has(name));
    for (const name of made) rmSync(path.join(folder, name), { recursive: true, force: true });
  });
}

/** A user that is there on every machine: one made for the test would stay if the test were killed. */
function findUser(): Account | undefined {
  return process.getuid?.() === 0 ? pickAccount(readFileSync('/etc/passwd', 'utf8')) : undefined;
}
