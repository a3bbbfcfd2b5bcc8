import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { DemoProcess } from './support/demo-process.ts';

const skip = !existsSync('/proc/self/environ') && 'there is no /proc to find processes in';

test('the demo carries a Runtime through its life, prints each step and ends with 0', { skip }, async () => {
  const demo = new DemoProcess(['--exit', '--pace', 'instant']);
  assert.equal(await demo.exited, 0, demo.written);
  const steps = [
    /Starting the landscape/,
    /Starting the service with an embedded PostgreSQL/,
    /Provisioning a Runtime: mutation provisionRuntime at http:/,
    /operation [0-9a-f-]{36}\n\s+Runtime {3}[0-9a-f-]{36}/,
    /Succeeded 100 %/,
    /Runtime is Connected: Shoot \S+ in europe-west3, Kubernetes 1\.34\.2/,
    /Namespaces of the new cluster: .*kyma-system/,
    /Installed module: Istio \S+ is Ready/,
    /Deprovisioning the Runtime/,
    /Succeeded 100 %/,
    /Stopping\n$/,
  ];
  let rest = demo.written;
  for (const step of steps) {
    const found = step.exec(rest);
    assert.ok(found, `${step} does not follow in:\n${demo.written}`);
    rest = rest.slice(found.index + found[0].length);
  }
  assert.deepEqual(demo.processes(), []);
});

test('a demo that stays up says how to go on, and Ctrl-C ends all of it in order', { skip }, async () => {
  const demo = new DemoProcess(['--pace', 'instant']);
  await demo.waitForText('Ctrl-C stops everything.');
  for (const hint of [/GraphQL endpoint +http:/, /curl -s http:/, /kubectl --kubeconfig \S+runtime\.kubeconfig get/]) {
    assert.match(demo.written, hint);
  }
  assert.ok(demo.processes().length >= 3, 'the demo, the service and PostgreSQL');
  demo.signal('SIGINT');
  assert.equal(await demo.exited, 0, demo.written);
  assert.deepEqual(demo.processes(), []);
});

test('the demo tells its options when it is asked, and one that it does not have ends it in one line and with 2', {
  skip,
}, async () => {
  const asked = new DemoProcess(['--help']);
  assert.equal(await asked.exited, 0, asked.written);
  assert.match(asked.written, /^usage: npm run demo -- \[--exit\]/);
  for (const [args, mistake] of [
    [['--fast'], "Unknown option '--fast'"],
    [['--pace', 'slow'], '--pace slow: instant, demo, realistic are possible'],
  ] as const) {
    const refused = new DemoProcess([...args]);
    assert.equal(await refused.exited, 2, refused.written);
    assert.equal(refused.written, `${mistake}; --help prints what is possible\n`);
  }
});

for (const signal of ['SIGINT', 'SIGHUP'] as const) {
  test(`a demo that gets ${signal} while it provisions leaves no process behind`, { skip }, async () => {
    const demo = new DemoProcess(['--pace', 'realistic']);
    await demo.waitForText('WaitingForClusterDomain');
    demo.signal(signal);
    assert.equal(await demo.exited, 1, demo.written);
    await eventually('every process of it to end', () => demo.processes().length === 0);
  });
}
