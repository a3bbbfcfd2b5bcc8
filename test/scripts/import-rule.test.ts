import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findViolations } from '../../scripts/import-rule/find-violations.ts';
import { parseImports } from '../../scripts/import-rule/read-imports.ts';

const packages = new Set(['pg', 'undici']);

const refused = [
  ['src/domain/runtime.ts', "import { database } from '../db/database.ts';", 'the domain knows nobody'],
  ['src/domain/runtime.ts', "import type { Row } from '../db/row.ts';", 'not even types'],
  ['src/domain/runtime.ts', "import { z } from 'zod';", 'the domain has no packages'],
  ['src/engine/engine.ts', "import { flows } from '../flows/flows.ts';", 'the engine gets its flows handed in'],
  ['src/clusters/gardener/driver.ts', "import { apply } from '../../kyma/apply.ts';", 'siblings do not meet'],
  ['src/director/client.ts', "import type { Agent } from '../agent/runtime-agent.ts';", 'siblings do not meet'],
  ['src/flows/stages/create.ts', "import { make } from '../../clusters/gardener/make.ts';", 'flows see contracts only'],
  ['src/flows/provision.ts', "import { client } from '../kubernetes/kubernetes-client.ts';", 'types only'],
  ['src/flows/provision.ts', "import pg from 'pg';", 'flows have no packages'],
  ['src/api/server.ts', "import { readConfig } from '../config.ts';", 'configuration is handed in'],
  ['src/db/database.ts', "import { start } from '../../landscape/landscape.ts';", 'src knows no landscape'],
  ['src/main.ts', "import { eventually } from '../test/harness/eventually.ts';", 'src knows no test'],
  ['src/main.ts', "const { start } = await import('../landscape/landscape.ts');", 'nor dynamically'],
  ['src/main.ts', "import '../landscape/landscape.ts';", 'nor for its effect'],
  ['src/api/server.ts', "export { start } from '../flows/start.ts';", 'nor by exporting'],
  [
    'src/kubernetes/client.ts',
    "import {\n  KubeConfig,\n} from '@kubernetes/client-node';",
    'a tool, not a dependency',
  ],
  ['landscape/garden/garden.ts', "import { Secret } from '../../src/domain/secret.ts';", 'the outside world'],
  ['src/somewhere/else.ts', "import path from 'node:path';", 'a folder that the table does not name'],
] as const;

for (const [file, source, reason] of refused) {
  test(`${file} may not say ${source.replaceAll(/\s+/g, ' ')} (${reason})`, () => {
    const violations = findViolations(parseImports(file, source), packages);
    assert.equal(violations.length, 1, violations.join('\n'));
    assert.match(violations.join(), new RegExp(`^${file}:1: `));
  });
}

const allowed = [
  ['src/domain/secret.ts', "import { inspect } from 'node:util';"],
  ['src/engine/engine.ts', "import { claim } from '../db/queries/claim.ts';"],
  ['src/clusters/gardener/driver.ts', "import type { Driver } from '../cluster-driver.ts';"],
  ['src/clusters/gardener/driver.ts', "import { client } from '../../kubernetes/client.ts';"],
  ['src/flows/stages/create.ts', "import type { ClusterDriver } from '../../clusters/cluster-driver.ts';"],
  ['src/flows/provision.ts', "import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';"],
  ['src/db/database.ts', "import pg from 'pg';"],
  ['src/kubernetes/objects.ts', "import type { Pod } from 'kubernetes-types/core/v1';"],
  ['src/main.ts', "import { engine } from './engine/engine.ts';"],
  ['landscape/garden/garden.ts', "import { WebSocketServer } from 'ws';"],
  ['test/e2e/demo.test.ts', "import { start } from '../../landscape/landscape.ts';"],
  ['src/engine/engine.ts', "// import { flows } from '../flows/flows.ts';"],
] as const;

for (const [file, source] of allowed) {
  test(`${file} may say ${source}`, () => {
    assert.deepEqual(findViolations(parseImports(file, source), packages), []);
  });
}

test('a cycle is reported once, with the way round; one of types is none', () => {
  const cycle = [
    ...parseImports('src/db/a.ts', "import { b } from './b.ts';"),
    ...parseImports('src/db/b.ts', "import { c } from './c.ts';"),
    ...parseImports('src/db/c.ts', "import { a } from './a.ts';"),
    ...parseImports('src/db/d.ts', "import type { e } from './e.ts';"),
    ...parseImports('src/db/e.ts', "import { d } from './d.ts';"),
  ];
  assert.deepEqual(findViolations(cycle, packages), [
    'cycle: src/db/a.ts -> src/db/b.ts -> src/db/c.ts -> src/db/a.ts',
  ]);
});

test('the line of an import is the line where its statement begins', () => {
  const [, second] = parseImports('src/db/a.ts', "import x from 'pg';\n\nimport {\n  y,\n} from './y.ts';\n");
  assert.equal(second?.line, 3);
});
