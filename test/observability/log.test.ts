import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../src/domain/secret.ts';
import { createLog } from '../../src/observability/log.ts';

function lines() {
  const written: string[] = [];
  return { written, destination: { write: (line: string) => void written.push(line) } };
}

test('a line is JSON with a level in words, a time and the fields of its ancestors', () => {
  const { written, destination } = lines();
  const log = createLog({ level: 'info', destination });
  log.child({ operationId: 'o-1' }).info({ stage: 'CreatingCluster' }, 'stage done');
  log.debug({}, 'not important enough');
  assert.equal(written.length, 1);
  const { time, ...line } = JSON.parse(written[0] ?? '');
  assert.equal(new Date(time).toISOString(), time);
  assert.deepEqual(line, { level: 'info', operationId: 'o-1', stage: 'CreatingCluster', msg: 'stage done' });
});

test('no confidential value is written, whether it is wrapped or only named so', () => {
  const { written, destination } = lines();
  const log = createLog({ level: 'info', destination });
  const secret = new Secret('hunter2');
  log.info({ anything: secret, deep: { list: [{ wrapped: secret }] } }, 'wrapped');
  log.info({ password: 'hunter2', settings: { token: 'hunter2', nested: { kubeconfig: 'hunter2' } } }, 'named');
  log.info({ headers: { authorization: 'Bearer hunter2' }, body: { client_secret: 'hunter2' } }, 'upstream');
  log.child({ secretKey: 'hunter2' }).info({}, 'inherited');
  assert.equal(written.length, 4);
  assert.deepEqual(
    written.filter((line) => line.includes('hunter2')),
    [],
  );
});

test('what looks like a format is written as it is', () => {
  const { written, destination } = lines();
  const log = createLog({ level: 'info', destination });
  const text = '100%s of %d nodes, %!v(MISSING) %o';
  log.info({ err: new Error(text), stage: text }, text);
  const { msg, stage, err } = JSON.parse(written[0] ?? '');
  assert.deepEqual([msg, stage, err.message], [text, text, text]);
});

test('an error is written with its causes', () => {
  const { written, destination } = lines();
  const error = new Error('cannot create the Shoot', { cause: new Error('socket hang up') });
  createLog({ level: 'info', destination }).error({ err: error }, 'internal system error');
  const { err } = JSON.parse(written[0] ?? '');
  assert.equal(err.message, 'cannot create the Shoot');
  assert.equal(err.cause.message, 'socket hang up');
  assert.match(err.stack, /log\.test\.ts/);
});
