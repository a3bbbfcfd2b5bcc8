import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AskSource, sourceAsker } from '../../src/kyma/installer-cr/ask-source.ts';
import { sourceMistake } from '../../src/kyma/installer-cr/check-source.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';

let charts: ArtifactServer;
let others: ArtifactServer;

before(async () => {
  [charts, others] = await Promise.all([startArtifactServer(), startArtifactServer()]);
  const archive = { status: 200, headers: { 'content-type': 'application/gzip' }, body: 'an archive' };
  charts.answer('/mine.tgz', archive);
  others.answer('/mine.tgz', archive);
});
after(() => Promise.all([charts.close(), others.close()]));

/** The servers of this test are on this machine, which to its look-ups is a public one. */
async function mistakeOf(
  path: string,
  { ask = sourceAsker({ privateAddresses: 'allowed' }), base = charts.url }: { ask?: AskSource; base?: string } = {},
): Promise<string | undefined> {
  const hosts = [charts.host, charts.host.replace('127.0.0.1', 'localhost')];
  const resolve = async () => ['203.0.114.10'];
  return sourceMistake({ sourceURL: `${base}${path}`, hosts, resolve, ask, log: silentLog });
}

function redirect(from: string, location: string): void {
  charts.answer(from, { status: 302, headers: { location }, body: '' });
}

test('an archive is accepted where it is, behind redirects, and as a folder in it', async () => {
  redirect('/latest.tgz', '/mine.tgz');
  for (let hop = 1; hop <= 5; hop++) redirect(`/${hop}.tgz`, hop === 5 ? '/mine.tgz' : `/${hop + 1}.tgz`);
  for (const path of ['/mine.tgz', '/latest.tgz', '/1.tgz', '/mine.tgz//charts/mine']) {
    assert.equal(await mistakeOf(path), undefined, path);
  }
});

test('what a source leads to is held to the same rules as the source', async () => {
  redirect('/away.tgz', `${others.url}/mine.tgz?signature=secret`);
  redirect('/further.tgz', '/away.tgz');
  redirect('/plain.tgz', `http://${charts.host}/mine.tgz`);
  redirect('/signed-in.tgz', `https://me:pw@${charts.host}/mine.tgz`);
  redirect('/nowhere.tgz', 'https://');
  redirect('/round.tgz', '/round.tgz');
  redirect('/gone.tgz', '/missing.tgz');
  charts.answer('/page.tgz', { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>' });
  const cases: Readonly<Record<string, RegExp>> = {
    '/away.tgz':
      /^it is redirected to https:[^?]*mine\.tgz, and the host 127\S+ is not among the sourceHosts .*: there is/,
    '/further.tgz': /and the host 127\S+ is not among the sourceHosts/,
    '/plain.tgz': /^it is redirected to http:\S+mine\.tgz, and only https is allowed$/,
    '/signed-in.tgz': /and credentials in an address are not allowed/,
    '/nowhere.tgz': /redirects to something that is no address/,
    '/round.tgz': /^it is redirected more than 5 times$/,
    '/gone.tgz': /^it is redirected to \S+missing\.tgz, and 127\S+ answers with HTTP 404$/,
    '/missing.tgz': /^127\S+ answers with HTTP 404$/,
    '/page.tgz': /answers with text\/html; charset=utf-8, which is no archive/,
  };
  for (const [path, pattern] of Object.entries(cases)) assert.match((await mistakeOf(path)) ?? 'accepted', pattern);
  assert.deepEqual(others.requests.counters(), {}, 'nobody is asked who must not be');
});

test('a name that has become a private address when the connection is made is refused', async () => {
  const ask = sourceAsker({ privateAddresses: 'refused' });
  const base = charts.url.replace('127.0.0.1', 'localhost');
  assert.match(
    (await mistakeOf('/mine.tgz', { ask, base })) ?? 'accepted',
    /^the host localhost:\d+ has the address (127\.0\.0\.1|::1), which is not a public one$/,
  );
});

test('where HEAD is not allowed one byte is asked for', async () => {
  const asked: string[] = [];
  charts.answer('/get-only.tgz', ({ method, headers }) => {
    asked.push(`${method} ${headers.range ?? ''}`);
    if (method === 'HEAD') return { status: 405, body: '' };
    return { status: 206, headers: { 'content-type': 'application/octet-stream' }, body: 'a' };
  });
  assert.equal(await mistakeOf('/get-only.tgz'), undefined);
  assert.deepEqual(asked, ['HEAD ', 'GET bytes=0-0']);
});

test('a source that does not answer now is no mistake', async () => {
  charts.answer('/busy.tgz', { status: 503, body: '' });
  assert.equal(await mistakeOf('/busy.tgz'), undefined);
  const closed = await startArtifactServer();
  await closed.close();
  const hosts = [closed.host];
  const rules = { hosts, resolve: async () => ['203.0.114.10'], log: silentLog };
  const ask = sourceAsker({ privateAddresses: 'allowed' });
  assert.equal(await sourceMistake({ sourceURL: `${closed.url}/mine.tgz`, ask, ...rules }), undefined);
});
