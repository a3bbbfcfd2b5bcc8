import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Failure } from '../../src/domain/failures.ts';
import { type ArtifactLimits, Artifacts } from '../../src/kyma/artifacts.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type ArtifactServer, startArtifactServer } from './artifact-server.ts';

let server: ArtifactServer;
let elsewhere: ArtifactServer;
const opened: Artifacts[] = [];

before(async () => {
  [server, elsewhere] = await Promise.all([startArtifactServer(), startArtifactServer()]);
});
afterEach(async () => {
  server.faults.clear();
  server.requests.clear();
  await Promise.all(opened.splice(0).map((artifacts) => artifacts.close()));
});
after(() => Promise.all([server.close(), elsewhere.close()]));

function open(options: { limits?: Partial<ArtifactLimits>; redirects?: string[] } = {}): Artifacts {
  const { limits, redirects = [] } = options;
  const hosts = new Set([server.host]);
  const trustedHosts = async () => ({ artifacts: hosts, redirects: new Set([...hosts, ...redirects]) });
  const artifacts = new Artifacts({
    privateAddresses: 'allowed',
    trustedHosts,
    log: silentLog,
    ...(limits && { limits }),
  });
  opened.push(artifacts);
  return artifacts;
}

const secret = (name: string) => `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name} }\n`;
const downloads = () => server.requests.counters()['artifacts GET'] ?? 0;

function isInvalid(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.code, 'KYMA_ARTIFACT_INVALID');
    assert.match(error.message, pattern);
    return true;
  };
}

test('however many ask for an artifact, it is downloaded and parsed once', async () => {
  const artifacts = open();
  const reference = server.publish('/once.yaml', secret('one'));
  const all = await Promise.all(Array.from({ length: 50 }, () => artifacts.objects(reference)));
  assert.equal(downloads(), 1);
  assert.equal(new Set(all).size, 1);
  assert.equal(all[0]?.[0]?.metadata.name, 'one');
  assert.equal(artifacts.kept(reference), all[0]);
});

test('what is not what the catalogue promises is not used', async () => {
  const good = server.publish('/good.yaml', secret('one'));
  const cases: { reason: string; url: string; sha256?: string; pattern: RegExp; prepare?: () => void }[] = [
    {
      reason: 'other bytes',
      url: good.url,
      sha256: 'a'.repeat(64),
      pattern: /its SHA-256 is .* but the catalogue says a{64}/,
    },
    { reason: 'not there', url: `${server.url}/none`, pattern: /not there \(HTTP 404\)/ },
    { reason: 'not YAML', ...server.publish('/broken.yaml', 'a: ['), pattern: /document 1/ },
    { reason: 'another host', url: `${elsewhere.url}/good.yaml`, pattern: /does not name the host 127/ },
    { reason: 'another port is another host', url: 'https://127.0.0.1:1/good.yaml', pattern: /does not name the host/ },
    { reason: 'not encrypted', url: good.url.replace('https:', 'http:'), pattern: /only https/ },
    {
      reason: 'credentials',
      url: good.url.replace('https://', 'https://user:pass@'),
      pattern: /credentials in an address/,
    },
    { reason: 'a file of this machine', url: 'file:///etc/passwd', pattern: /only https/ },
    {
      reason: 'a redirect to the metadata service',
      url: `${server.url}/metadata`,
      pattern: /redirected to http:\/\/169\.254\.169\.254\/token, and only https/,
      prepare: () =>
        server.answer('/metadata', {
          status: 302,
          headers: { location: 'http://169.254.169.254/token?a=b' },
          body: '',
        }),
    },
    {
      reason: 'a redirect to a host that nobody named',
      url: `${server.url}/away`,
      pattern: /does not name the host/,
      prepare: () => server.answer('/away', { status: 302, headers: { location: `${elsewhere.url}/x` }, body: '' }),
    },
    {
      reason: 'redirects without end',
      url: `${server.url}/circle`,
      pattern: /more than 3 times/,
      prepare: () => server.answer('/circle', { status: 302, headers: { location: '/circle' }, body: '' }),
    },
  ];
  for (const { reason, url, sha256 = good.sha256, pattern, prepare } of cases) {
    prepare?.();
    await assert.rejects(open().objects({ url, sha256 }), isInvalid(pattern), reason);
  }
});

test('a redirect is followed to a host that the operator trusts, and its digest still counts', async () => {
  const file = elsewhere.publish('/asset', secret('moved'));
  server.answer('/release', { status: 302, headers: { location: file.url }, body: '' });
  const artifacts = open({ redirects: [elsewhere.host] });
  const [object] = await artifacts.objects({ url: `${server.url}/release`, sha256: file.sha256 });
  assert.equal(object?.metadata.name, 'moved');
  const other = { url: `${server.url}/release`, sha256: 'b'.repeat(64) };
  await assert.rejects(artifacts.objects(other), isInvalid(/SHA-256/));
});

test('an artifact that is too large is given up', async () => {
  const reference = server.publish('/large.yaml', `${secret('one')}# ${'x'.repeat(2_000)}\n`);
  await assert.rejects(open({ limits: { bytes: 1_000 } }).objects(reference), isInvalid(/larger than 1000 bytes/));
});

test('an artifact that cannot be had now can be had later', async () => {
  const artifacts = open({ limits: { milliseconds: 200 } });
  const reference = server.publish('/later.yaml', secret('one'));
  const cases = [
    { action: { kind: 'drop' }, pattern: /cannot download/ },
    { action: { kind: 'status', status: 503 }, pattern: /HTTP 503/ },
    { action: { kind: 'delay', milliseconds: 400 }, pattern: /longer than 200 ms/ },
  ] as const;
  for (const { action, pattern } of cases) {
    server.faults.add({ count: 1, action });
    await assert.rejects(artifacts.objects(reference), (error) => {
      assert.ok(error instanceof Error && !(error instanceof Failure), 'it may heal');
      assert.match(error.message, pattern);
      return true;
    });
  }
  assert.equal((await artifacts.objects(reference)).length, 1);
});

test('a caller who gives up does not end the download for the others', async () => {
  const artifacts = open();
  const reference = server.publish('/shared.yaml', secret('one'));
  server.faults.add({ count: 1, action: { kind: 'delay', milliseconds: 50 } });
  const controller = new AbortController();
  const impatient = artifacts.objects(reference, controller.signal);
  const patient = artifacts.objects(reference);
  controller.abort(new Error('gave up'));
  await assert.rejects(impatient, /gave up/);
  assert.equal((await patient).length, 1);
  assert.equal(downloads(), 1);
});

test('the least recently used artifact makes room', async () => {
  const text = (name: string) => `${secret(name)}# ${'x'.repeat(300)}\n`;
  const [one, two, three] = ['one', 'two', 'tre'].map((name) => server.publish(`/${name}.yaml`, text(name)));
  assert.ok(one && two && three);
  const artifacts = open({ limits: { cacheBytes: 2 * text('one').length } });
  for (const reference of [one, two, one, three]) await artifacts.objects(reference);
  assert.ok(artifacts.kept(one));
  assert.equal(artifacts.kept(two), undefined);
  assert.ok(artifacts.kept(three));
});
