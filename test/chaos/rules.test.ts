import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkHistory, type RuleName, rules } from '../../scripts/chaos/check-history.ts';
import type { History, OperationRecord } from '../../scripts/chaos/history.ts';
import { takeovers } from '../../scripts/chaos/rules/taken-over-in-time.ts';
import { first, runtime, second, wellDone } from './a-history.ts';

interface Breach {
  readonly how: string;
  readonly history: History;
  readonly says: RegExp;
}

const [provision, upgrade] = wellDone.operations as [OperationRecord, OperationRecord];
const [cluster] = wellDone.outside.clusters;
const events = wellDone.events;

/** For each rule the ways to break it, and it alone; without a line for a rule, this does not compile. */
const breaches: Readonly<Record<RuleName, readonly Breach[]>> = {
  'no operation is lost': [
    {
      how: 'an accepted operation is not stored',
      history: withAccepted({ key: 'c', kind: 'Upgrade', operationId: 'gone', at: 5, mayFail: false }),
      says: /Upgrade gone was accepted \(c\) and is not stored/,
    },
    {
      how: 'an operation is never ended',
      history: {
        ...withUpgrade({ state: 'InProgress', stage: 'WaitingForUpgrade', endings: [], events: 2 }),
        events: events.slice(0, -1),
      },
      says: /Upgrade upgrade is still in progress in WaitingForUpgrade/,
    },
  ],
  'nothing is accepted twice': [
    {
      how: 'an order was carried out twice',
      history: { ...wellDone, accepted: wellDone.accepted.slice(0, 1) },
      says: /Upgrade upgrade of Runtime .* was ordered by nobody/,
    },
    {
      how: 'two orders have one operation',
      history: withAccepted({ key: 'c', kind: 'Upgrade', operationId: 'upgrade', at: 5, mayFail: false }),
      says: /operation upgrade is the answer to several orders: b, c/,
    },
  ],
  'every operation ends once': [
    {
      how: 'the row ends twice',
      history: withUpgrade({ endings: [30_000, 30_001] }),
      says: /was ended 2 times/,
    },
    {
      how: 'the history ends otherwise than the row',
      history: {
        ...wellDone,
        events: events.map((event) => (event === events.at(-1) ? { ...event, type: 'Failed' } : event)),
      },
      says: /is Succeeded, and its last event is Failed/,
    },
  ],
  'no operation fails because of what was done to the service': [
    {
      how: 'an operation fails that nobody cancelled',
      history: failedUpgrade(),
      says: /Upgrade upgrade failed in WaitingForUpgrade: for no reason/,
    },
  ],
  'operations of one Runtime never overlap': [
    {
      how: 'one appears before the other has ended',
      history: {
        ...wellDone,
        operations: [provision, { ...upgrade, appearedAt: 2_999 }],
      },
      says: /Upgrade upgrade began before Provision provision had ended/,
    },
  ],
  'events are in order and without gaps': [
    {
      how: 'one is missing',
      history: {
        ...wellDone,
        events: events.filter(({ operationId, sequence }) => operationId !== 'upgrade' || sequence !== 2),
      },
      says: /Upgrade upgrade has the events 1, 3\n.*counts 3 events and has 2/,
    },
    {
      how: 'a follower gets them in another order',
      history: {
        ...wellDone,
        events: events.map((event) =>
          event.operationId === 'upgrade' && event.sequence === 2 ? { ...event, position: 1 } : event,
        ),
      },
      says: /event 2 is followed before the one before it/,
    },
  ],
  'nothing is sent outside by a run that does not hold its operation': [
    {
      how: 'a zombie writes to the cluster',
      history: withSent({ method: 'PATCH', url: 'https://h/clusters/shoot--dev--one/api/v1/secrets/a' }),
      says: /process 101 sent PATCH .* and had let go of it 2500 ms before/,
    },
    {
      how: 'a zombie makes the Shoot',
      history: withSent({ method: 'POST', url: 'https://h/garden/namespaces/n/shoots?fieldManager=x', name: 'one' }),
      says: /sent POST/,
    },
    {
      how: 'a zombie speaks to the Director',
      history: withSent({ method: 'POST', url: 'https://h/director', mutation: 'updateRuntime', ids: [runtime.id] }),
      says: /sent updateRuntime/,
    },
    {
      how: 'a zombie deletes a cluster of GKE',
      history: {
        ...withSent({ method: 'DELETE', url: 'https://h/v1/projects/my-project/locations/a/clusters/one' }),
        runtimes: [{ ...runtime, driver: 'gke' }],
        outside: {
          ...wellDone.outside,
          clusters: [{ driver: 'gke', name: 'one', owner: runtime.id, agent: runtime.id }],
        },
      },
      says: /sent DELETE/,
    },
  ],
  'nothing is committed by a run that does not hold its operation': [
    {
      how: 'an event is written between two claims',
      history: {
        ...wellDone,
        events: events.map((event) =>
          event.operationId === 'upgrade' && event.sequence === 2 ? { ...event, at: 15_500 } : event,
        ),
      },
      says: /event 2 of operation upgrade, StageDone CreatingCluster, was written while nobody had it/,
    },
  ],
  'operations of a dead replica are taken over in time': [
    {
      how: 'it takes 15 s and more',
      history: claimedAgainAt(20_100),
      says: /operation upgrade of process 101 was claimed after 15100 ms, 15100 ms of them undisturbed/,
    },
    {
      how: 'half of it is an outage, and the rest is too long all the same',
      history: {
        ...claimedAgainAt(29_000),
        disturbances: [...wellDone.disturbances, { kind: 'postgres-restart', from: 6_000, to: 12_000 }],
      },
      says: /17000 ms of them undisturbed/,
    },
  ],
  'outside exists what is stored, and nothing else': [
    {
      how: 'a cluster is missing',
      history: withClusters([]),
      says: /living; last operation Upgrade Succeeded\) has 0 clusters/,
    },
    {
      how: 'there are two clusters',
      history: withClusters([cluster, { driver: 'gardener', name: 'two', owner: runtime.id, agent: undefined }]),
      says: /has 2 clusters/,
    },
    {
      how: 'a cluster is nobody’s',
      history: withClusters([cluster, { driver: 'gke', name: 'two', owner: 'other', agent: undefined }]),
      says: /gke has the cluster two of other, which is not stored/,
    },
    {
      how: 'the agent is somebody else',
      history: withClusters([{ ...cluster, agent: 'other' } as typeof cluster]),
      says: /has 0 agents/,
    },
    {
      how: 'it was registered twice',
      history: {
        ...wellDone,
        outside: { ...wellDone.outside, entries: [...wellDone.outside.entries, { id: 'x', name: 'one' }] },
      },
      says: /has 2 entries/,
    },
    {
      how: 'a deleted Runtime has left everything',
      history: { ...wellDone, runtimes: [{ ...runtime, deleted: true }] },
      says: /deleted.* has 1 clusters\n.*has 1 entries\n.*has 1 agents/,
    },
    {
      how: 'a disk is left',
      history: { ...wellDone, outside: { ...wellDone.outside, cloudResources: 1 } },
      says: /1 load balancers or disks are left/,
    },
    {
      how: 'a registration is not settled',
      history: { ...wellDone, intents: 1 },
      says: /1 registrations are not settled/,
    },
  ],
};

test('a history in which all is well breaks no rule', () => {
  assert.deepEqual(checkHistory(wellDone), []);
});

for (const [rule, ways] of Object.entries(breaches)) {
  describe(`that ${rule} is broken, and nothing else, when`, () => {
    for (const { how, history, says } of ways) {
      test(how, () => {
        const violations = checkHistory(history);
        assert.deepEqual([...new Set(violations.map((violation) => violation.rule))], [rule]);
        assert.match(violations.map(({ what }) => what).join('\n'), says);
      });
    }
  });
}

test('what its caller cancelled, or the cloud was to refuse, may fail', () => {
  const cancelled = failedUpgrade({ cancelled: true });
  assert.deepEqual(checkHistory(cancelled), []);
  const [one, other] = wellDone.accepted;
  assert.ok(one && other);
  assert.deepEqual(checkHistory({ ...failedUpgrade(), accepted: [one, { ...other, mayFail: true }] }), []);
});

test('a takeover is not late while nobody could take over', () => {
  const alone = { ...claimedAgainAt(28_000), working: [{ process: second, from: 20_000, to: 40_000 }] };
  assert.deepEqual(takeovers(alone), [
    { operationId: 'upgrade', process: first, diedAt: 5_000, claimedAt: 28_000, undisturbed: 8_000 },
  ]);
  assert.deepEqual(checkHistory(alone), []);
});

test('every rule is checked', () => {
  assert.deepEqual(Object.keys(breaches), Object.keys(rules));
});

function withAccepted(acceptance: History['accepted'][number]): History {
  return { ...wellDone, accepted: [...wellDone.accepted, acceptance] };
}

function withUpgrade(change: Partial<OperationRecord>): History {
  return { ...wellDone, operations: [provision, { ...upgrade, ...change }] };
}

function failedUpgrade(change: Partial<OperationRecord> = {}): History {
  const failed = { state: 'Failed', stage: 'WaitingForUpgrade', message: 'for no reason' } as const;
  return {
    ...withUpgrade({ ...failed, ...change }),
    events: events.map((event) => (event === events.at(-1) ? { ...event, type: 'Failed' } : event)),
  };
}

/** By the process that has lost the operation 2.5 s before. */
function withSent(request: Pick<History['sent'][number], 'method' | 'url' | 'name' | 'mutation' | 'ids'>): History {
  return { ...wellDone, sent: [...wellDone.sent, { at: 17_500, process: first, ...request }] };
}

function withClusters(clusters: readonly (typeof cluster)[]): History {
  return { ...wellDone, outside: { ...wellDone.outside, clusters: clusters.filter((each) => each !== undefined) } };
}

function claimedAgainAt(at: number): History {
  return {
    ...wellDone,
    sent: [],
    holds: wellDone.holds.map((hold) => (hold.process === second ? { ...hold, from: at } : hold)),
  };
}
