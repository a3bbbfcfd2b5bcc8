import type { EventRecord, History, OperationRecord, RuntimeRecord } from '../../scripts/chaos/history.ts';

/** Of the processes that play in it. */
export const [first, second] = [101, 102];

export const runtime: RuntimeRecord = {
  ...{ id: '11111111-1111-4111-8111-111111111111', name: 'one', driver: 'gardener', clusterName: 'one' },
  ...{ deleted: false, hasKyma: true },
};

const provision: OperationRecord = {
  ...{ id: 'provision', runtimeId: runtime.id, kind: 'Provision', state: 'Succeeded', stage: 'Finished', message: '' },
  ...{ events: 3, cancelled: false, appearedAt: 1_000, endings: [3_000] },
};

const upgrade: OperationRecord = { ...provision, id: 'upgrade', kind: 'Upgrade', appearedAt: 4_000, endings: [30_000] };

/**
 * All is well: a Runtime is provisioned, and upgraded by a process that dies at 5,000 and is followed by another one.
 */
export const wellDone: History = {
  accepted: [
    { key: 'a', kind: 'Provision', operationId: 'provision', at: 1_050, mayFail: false },
    { key: 'b', kind: 'Upgrade', operationId: 'upgrade', at: 4_050, mayFail: false },
  ],
  runtimes: [runtime],
  operations: [provision, upgrade],
  events: [...eventsOf('provision', [1_000, 1_200, 2_999], 10), ...eventsOf('upgrade', [4_000, 4_200, 29_999], 20)],
  holds: [
    { operationId: 'provision', runtimeId: runtime.id, attempt: 1, process: first, from: 1_100, to: 3_000 },
    { operationId: 'upgrade', runtimeId: runtime.id, attempt: 1, process: first, from: 4_100, to: 15_000 },
    { operationId: 'upgrade', runtimeId: runtime.id, attempt: 2, process: second, from: 16_000, to: 30_000 },
  ],
  sent: [
    { at: 1_300, process: first, method: 'POST', url: 'https://h/garden/namespaces/n/shoots?dryRun=All', name: 'one' },
    { at: 1_400, process: first, method: 'POST', url: 'https://h/garden/namespaces/n/shoots', name: 'one' },
    { at: 17_000, process: second, method: 'PATCH', url: 'https://h/clusters/shoot--dev--one/api/v1/secrets/a' },
  ],
  disturbances: [{ kind: 'kill', process: first, from: 5_000, to: 8_000 }],
  working: [
    { process: first, from: 0, to: 5_000 },
    { process: second, from: 0, to: 40_000 },
  ],
  outside: {
    clusters: [{ driver: 'gardener', name: 'one', owner: runtime.id, agent: runtime.id }],
    entries: [{ id: runtime.id, name: 'one' }],
    cloudResources: 0,
  },
  intents: 0,
};

function eventsOf(operationId: string, [accepted = 0, done = 0, ended = 0]: number[], position: number): EventRecord[] {
  const [stage, message] = ['CreatingCluster', ''];
  return [
    { operationId, sequence: 1, type: 'Accepted', stage, message, at: accepted, position },
    { operationId, sequence: 2, type: 'StageDone', stage, message, at: done, position: position + 1 },
    { operationId, sequence: 3, type: 'Succeeded', stage: 'Finished', message, at: ended, position: position + 2 },
  ];
}
