import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { eventually } from '../../harness/eventually.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const skip = hasKubectl ? false : 'kubectl is not on the PATH';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

function manifest(name: string, color: string, more = ''): string {
  return `apiVersion: test.example.com/v1\nkind: Gadget\nmetadata:\n  name: ${name}\nspec:\n  color: ${color}\n${more}`;
}

test('kubectl lists what the API serves', { skip }, async () => {
  const output = await server.kubectl(['api-resources', '--api-group', 'test.example.com']);
  assert.match(output, /gadgets\s+gd\s+test\.example\.com\/v1\s+true\s+Gadget/);
  assert.match(await server.kubectl(['version']), /Server Version: v1\.34\.2/);
});

test('kubectl creates a namespace and what is in it', { skip }, async () => {
  assert.equal(await server.kubectl(['create', 'namespace', 'team']), 'namespace/team created\n');
  await server.kubectl(['create', 'configmap', 'settings', '-n', 'team', '--from-literal', 'a=b']);
  await server.kubectl(['create', 'secret', 'generic', 'token', '-n', 'team', '--from-literal', 'c=d']);
  assert.equal(await server.kubectl(['get', 'cm', 'settings', '-n', 'team', '-o', 'jsonpath={.data.a}']), 'b');
  const secret = await server.kubectl(['get', 'secret', 'token', '-n', 'team', '-o', 'jsonpath={.data.c}']);
  assert.equal(Buffer.from(secret, 'base64').toString(), 'd');
  await server.kubectl(['delete', 'namespace', 'team', '--timeout=20s']);
  assert.match(await server.kubectl(['get', 'cm', '-n', 'team']), /No resources found/);
});

test('kubectl apply creates, changes and leaves alone', { skip }, async () => {
  const apply = (color: string, more = '') => server.kubectl(['apply', '-f', '-'], manifest('applied', color, more));
  assert.match(await apply('red', '  options:\n    a: "1"\n'), /applied created/);
  assert.match(await apply('red', '  options:\n    a: "1"\n'), /applied unchanged/);
  assert.match(await apply('blue'), /applied configured/);
  assert.deepEqual(server.api.read('gadgets', 'default', 'applied')?.spec, { color: 'blue', size: 1 });
});

test('kubectl apply of a Deployment merges its containers', { skip }, async () => {
  const deployment = (image: string, env: string): string =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'web', image, env: [{ name: env, value: '1' }] }] },
        },
      },
    });
  await server.kubectl(['apply', '-f', '-'], deployment('web:1', 'A'));
  await server.kubectl(['set', 'env', 'deployment/web', 'MINE=1']);
  await server.kubectl(['apply', '-f', '-'], deployment('web:2', 'B'));
  const [container] = server.api.read('deployments', 'default', 'web')?.spec.template.spec.containers ?? [];
  assert.equal(container.image, 'web:2');
  assert.deepEqual(container.env.map(({ name }: { name: string }) => name).toSorted(), ['B', 'MINE']);
});

test('kubectl apply --server-side reports conflicts and forces them', { skip }, async () => {
  const apply = (manager: string, color: string, ...flags: string[]) =>
    server.kubectl(
      ['apply', '--server-side', '--field-manager', manager, ...flags, '-f', '-'],
      manifest('shared', color),
    );
  assert.match(await apply('alice', 'red'), /shared serverside-applied/);
  await assert.rejects(apply('bob', 'blue'), /Apply failed with 1 conflict: conflict with "alice": \.spec\.color/);
  await apply('bob', 'blue', '--force-conflicts');
  assert.equal(server.api.read('gadgets', 'default', 'shared')?.spec.color, 'blue');
});

test('kubectl refuses a manifest with an unknown field', { skip }, async () => {
  const apply = server.kubectl(['apply', '-f', '-'], manifest('strict', 'red', '  hue: 1\n'));
  await assert.rejects(apply, /strict decoding error: unknown field "spec.hue"/);
});

test('kubectl patches, labels, annotates and prints', { skip }, async () => {
  await server.kubectl(['create', '-f', '-'], manifest('edited', 'red'));
  await server.kubectl(['patch', 'gadget', 'edited', '--type', 'merge', '-p', '{"spec":{"size":4}}']);
  await server.kubectl([
    'patch',
    'gd',
    'edited',
    '--type',
    'json',
    '-p',
    '[{"op":"replace","path":"/spec/color","value":"blue"}]',
  ]);
  await server.kubectl(['label', 'gadget', 'edited', 'tier=web']);
  await server.kubectl(['annotate', 'gadget', 'edited', 'note=hello']);
  const wide = await server.kubectl(['get', 'gadgets', '-l', 'tier=web', '-o', 'wide']);
  assert.match(wide, /NAME\s+COLOR\s+SIZE\s+AGE\nedited\s+blue\s+4\s+\d+s/);
  const yaml = await server.kubectl(['get', 'gadget', 'edited', '-o', 'yaml']);
  assert.match(yaml, /note: hello/);
  assert.match(yaml, /kind: Gadget/);
  assert.match(await server.kubectl(['describe', 'gadget', 'edited']), /Color:\s+blue/);
  assert.match(await server.kubectl(['explain', 'gadget.spec.color']), /FIELD: color <string>/);
});

test('kubectl wait sees a condition come, and an object go', { skip }, async () => {
  await server.kubectl(['create', '-f', '-'], manifest('awaited', 'red'));
  const ready = server.kubectl(['wait', 'gadget/awaited', '--for=condition=Ready', '--timeout=20s']);
  await eventually('kubectl to watch', () => server.api.watchCount > 0);
  server.api.write('gadgets', 'default', 'awaited', (copy) => {
    copy.status = { conditions: [{ type: 'Ready', status: 'True' }] };
  });
  assert.match(await ready, /awaited condition met/);
  server.api.write('gadgets', 'default', 'awaited', (copy) => {
    copy.metadata.finalizers = ['example.com/hold'];
  });
  const deleted = server.kubectl(['delete', 'gadget', 'awaited', '--timeout=20s']);
  await eventually(
    'the deletion to begin',
    () => server.api.read('gadgets', 'default', 'awaited')?.metadata.deletionTimestamp,
  );
  server.api.write('gadgets', 'default', 'awaited', (copy) => {
    copy.metadata.finalizers = [];
  });
  assert.match(await deleted, /"awaited" deleted/);
});

test('kubectl get -w prints a row for every change', { skip }, async () => {
  await server.kubectl(['create', '-f', '-'], manifest('watched', 'red'));
  const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', KUBECONFIG: server.kubeconfigPath };
  const child = spawn('kubectl', ['get', 'gadgets', 'watched', '-w'], { env: environment });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await eventually('the first row', () => /watched\s+red/.test(output));
  await eventually('kubectl to watch', () => server.api.watchCount > 0);
  server.api.write('gadgets', 'default', 'watched', (copy) => {
    copy.spec.color = 'green';
  });
  await eventually('the row of the change', () => /watched\s+green/.test(output));
  child.kill();
});

test('kubectl works with what a CustomResourceDefinition adds', { skip }, async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'lamps.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'lamps', kind: 'Lamp', shortNames: ['lp'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [{ name: 'Watts', type: 'integer', jsonPath: '.spec.watts' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { watts: { type: 'integer' } } } },
            },
          },
        },
      ],
    },
  };
  await server.kubectl(['apply', '-f', '-'], JSON.stringify(definition));
  await server.kubectl(['wait', 'crd/lamps.example.com', '--for=condition=Established', '--timeout=20s']);
  const lamp = { apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'desk' }, spec: { watts: 7 } };
  await server.kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(lamp));
  assert.match(await server.kubectl(['get', 'lp']), /NAME\s+WATTS\s+AGE\ndesk\s+7\s+\d+s/);
  await server.kubectl(['delete', 'crd', 'lamps.example.com', '--timeout=20s']);
  assert.equal(server.api.read('customresourcedefinitions', undefined, 'lamps.example.com'), undefined);
});
