import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { done } from '../../src/domain/outcome.ts';
import { eventually } from '../harness/eventually.ts';
import { migratedDatabase, startEngine } from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

const beat = 200;

test('a replica that was given up again and again says no more often than before that it lives', async () => {
  const { database } = await migratedDatabase();
  await countBeats(database);
  const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);
  const engine = await startEngine({ database, flows: [flow], timing: { beat, lease: 30_000 } });
  for (let times = 0; times < 4; times += 1) {
    const before = engine.state.replicaId;
    await sql`DELETE FROM replica`.execute(database.kysely);
    await eventually('it to go on under a new id', () => engine.state.replicaId !== before && engine.state.alive);
  }
  const from = await beats(database);
  const startedAt = performance.now();
  await eventually('some more beats', async () => (await beats(database)) >= from + 10, { every: 5 });
  const took = performance.now() - startedAt;
  assert.ok(took > 6 * beat, `10 beats came within ${took.toFixed(0)} ms`);
});

async function countBeats({ kysely }: Database): Promise<void> {
  await sql`CREATE SEQUENCE beats MINVALUE 0`.execute(kysely);
  await sql`CREATE FUNCTION count_beat() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM nextval('beats'); RETURN NULL; END $$`.execute(kysely);
  await sql`CREATE TRIGGER counted AFTER UPDATE ON replica FOR EACH ROW EXECUTE FUNCTION count_beat()`.execute(kysely);
}

async function beats({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT last_value::int AS count FROM beats`.execute(kysely);
  return rows[0]?.count ?? 0;
}
