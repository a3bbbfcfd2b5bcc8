import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startLandscape } from '../../landscape/landscape.ts';
import { graphqlClient } from '../../test/harness/graphql-client.ts';
import { documents } from '../chaos/documents.ts';
import { describeDifference } from './describe-difference.ts';
import { type DatabaseAddress, Fleet } from './fleet.ts';
import type { Life, LifeStep } from './lives.ts';
import { clusterIds, lookAround, type Surroundings } from './look-around.ts';
import { type Place, Places } from './places.ts';
import { Stored, type StoredOperation } from './stored.ts';

/** How an operation went, and what there was afterwards. */
export interface Done {
  readonly kind: string;
  readonly course: readonly string[];
  readonly surroundings: Surroundings;
}

export interface LivedLife {
  readonly done: readonly Done[];
  /** Where somebody was killed, in order. */
  readonly places: readonly Place[];
}

export interface LifeOptions {
  readonly life: Life;
  readonly replicas: number;
  readonly database: DatabaseAddress;
  /** Gets what the replicas write. */
  readonly directory: string;
  /** Whether to kill there. */
  readonly isWanted: (place: Place) => boolean;
  /** Told of each kill. */
  readonly onDeath?: (place: Place) => void;
  /** The same life without a kill; what differs from it fails. */
  readonly calm?: readonly Done[];
  /** How long nobody may be killed before an operation ends, in milliseconds. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

/** Lives a life on replicas that are killed wherever it is wanted. Throws what is not as it should be. */
export async function liveThrough(options: LifeOptions): Promise<LivedLife> {
  const { life, directory, database, isWanted, calm, signal } = options;
  mkdirSync(directory, { recursive: true });
  await using resources = new AsyncDisposableStack();
  const landscape = await startLandscape({ directory: path.join(directory, 'landscape'), pace: 'instant' });
  resources.defer(() => landscape.stop());
  const stored = new Stored(database);
  resources.defer(() => stored.close());
  const places = new Places({ isWanted, onUsed: options.onDeath });
  const fleet = new Fleet({ landscape, database, stored, places, size: options.replicas, directory, signal });
  resources.defer(() => fleet.stop());
  await fleet.start();

  const { control } = landscape;
  const everMade = new Set<string>();
  const done: Done[] = [];
  const provision: LifeStep = { kind: 'Provision', document: documents.provision, config: life.order };
  for (const step of [provision, ...life.steps]) {
    const operation = await carryOut(step);
    const surroundings = await settled(operation);
    const course = await stored.course(operation.id);
    const now: Done = { kind: step.kind, course, surroundings };
    const before = calm?.[done.length];
    done.push(now);
    const wrong: string[] = [];
    if (before && !isDeepStrictEqual(before, now)) wrong.push(describeDifference(before, now));
    if (await stored.hasGap(operation.id)) wrong.push('the history has a gap');
    if (everMade.size !== 1) wrong.push(`${everMade.size} clusters were made`);
    const counts = await stored.counts();
    const expected = { runtimes: 1, operations: done.length, intents: 0 };
    if (!isDeepStrictEqual(counts, expected)) wrong.push(`stored are ${JSON.stringify(counts)}`);
    if (wrong.length > 0) throw complaint(operation, wrong.join('\n'));
  }
  return { done, places: places.used };

  /** Its caller may not be answered: whoever was asked may be killed before that. */
  async function carryOut({ kind, document, config, before }: LifeStep): Promise<StoredOperation> {
    const earlier = await stored.newestOperation();
    const api = graphqlClient({ endpoint: await fleet.endpoint(), tenant: 'tenant-a' });
    const id = earlier?.runtimeId;
    if (before && id) await before(await kubeconfigOf(api, id));
    const refusals: string[] = [];
    api.ask(document, { ...(id && { id }), ...(config && { config }) }).catch((error: Error) => {
      if (error.message.startsWith('GraphQL')) refusals.push(error.message);
    });
    for (;;) {
      for (const cluster of clusterIds(control)) everMade.add(cluster);
      const operation = await stored.newestOperation();
      const isOurs = operation !== undefined && operation.id !== earlier?.id;
      if (isOurs && operation.state === 'Succeeded') return operation;
      if (isOurs && operation.state === 'Failed') throw complaint(operation, operation.message);
      if (!isOurs && refusals.length > 0) throw new Error(`${kind} was refused: ${refusals}`);
      if (fleet.quietFor() > options.patience) throw complaint(operation, 'it does not end');
      await pause(20, undefined, { signal });
    }
  }

  /** What a cluster does by itself afterwards is waited for: until all is as expected, or nothing happens any more. */
  async function settled({ runtimeId }: StoredOperation): Promise<Surroundings> {
    const expected = calm?.[done.length]?.surroundings;
    let last = lookAround(control, { runtimeId });
    for (let unchanged = 0; unchanged < 20; unchanged += 1) {
      if (isDeepStrictEqual(last, expected)) return last;
      await pause(50, undefined, { signal });
      const seen = lookAround(control, { runtimeId });
      if (!isDeepStrictEqual(seen, last)) unchanged = 0;
      last = seen;
    }
    return last;
  }

  function complaint(operation: StoredOperation | undefined, what: string): Error {
    const last = places.used.slice(-3).map((place) => `  ${place}`);
    return new Error(
      [
        `${life.name}, ${options.replicas} replicas, ${operation?.kind}/${operation?.stage} (${operation?.message}):`,
        ...[what, 'killed last:', ...last, `what the replicas wrote: ${directory}`],
      ].join('\n'),
    );
  }
}

async function kubeconfigOf(api: ReturnType<typeof graphqlClient>, id: string): Promise<string> {
  const { runtimeStatus } = await api.ask<{ runtimeStatus: { runtimeConfiguration: { kubeconfig: string } } }>(
    'query ($id: String!) { runtimeStatus(id: $id) { runtimeConfiguration { kubeconfig } } }',
    { id },
  );
  return runtimeStatus.runtimeConfiguration.kubeconfig;
}
