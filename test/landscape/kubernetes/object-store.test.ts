import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreEvent } from '../../../landscape/kubernetes/event-history.ts';
import { ObjectStore } from '../../../landscape/kubernetes/object-store.ts';
import type { KubeObject } from '../../../landscape/kubernetes/resource-type.ts';
import { StatusError } from '../../../landscape/kubernetes/status-error.ts';
import { gadgetType } from './gadget-type.ts';

const secrets = { group: '', plural: 'secrets' };

function gadget(
  name: string,
  more: { spec?: object; finalizers?: string[]; labels?: Record<string, string> } = {},
): KubeObject {
  const { spec = { color: 'red' }, ...metadata } = more;
  return {
    apiVersion: 'test.example.com/v1',
    kind: 'Gadget',
    metadata: { name, namespace: 'default', ...metadata },
    spec,
  };
}

function refusedWith(code: number, message: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

test('every change of any resource gets a higher resourceVersion', () => {
  const store = new ObjectStore();
  const first = store.create(gadgetType, gadget('a'));
  const second = store.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'x' } });
  const third = store.update(gadgetType, { ...first, spec: { color: 'blue' } });
  const versions = [first, second, third].map((object) => Number(object.metadata.resourceVersion));
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(versions).size, 3);
  assert.equal(store.resourceVersion, third.metadata.resourceVersion);
});

test('a created object has uid, creationTimestamp and generation, a core object no generation', () => {
  const store = new ObjectStore({ clock: { now: () => Date.parse('2026-05-01T10:00:00.700Z') } });
  const { metadata } = store.create(gadgetType, gadget('a'));
  assert.match(metadata.uid ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(metadata.creationTimestamp, '2026-05-01T10:00:00Z');
  assert.equal(metadata.generation, 1);
  const secret = store.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'x' } });
  assert.equal(secret.metadata.generation, undefined);
});

test('generation rises with the spec and not with labels or status', () => {
  const store = new ObjectStore();
  const created = store.create(gadgetType, gadget('a'));
  const labelled = store.update(gadgetType, { ...created, metadata: { ...created.metadata, labels: { a: 'b' } } });
  const reported = store.update(gadgetType, { ...labelled, status: { phase: 'x' } });
  assert.equal(reported.metadata.generation, 1);
  assert.equal(store.update(gadgetType, { ...reported, spec: { color: 'blue' } }).metadata.generation, 2);
});

test('an update that changes nothing keeps the resourceVersion and tells nobody', () => {
  const store = new ObjectStore();
  const created = store.create(gadgetType, gadget('a'));
  const events: StoreEvent[] = [];
  store.observe((event) => events.push(event));
  assert.equal(store.update(gadgetType, structuredClone(created)), created);
  assert.deepEqual(events, []);
});

test('a stale resourceVersion is a conflict, a foreign uid too', () => {
  const store = new ObjectStore();
  const created = store.create(gadgetType, gadget('a'));
  store.update(gadgetType, { ...created, spec: { color: 'blue' } });
  assert.throws(
    () => store.update(gadgetType, { ...created, spec: { color: 'green' } }),
    refusedWith(409, /^Operation cannot be fulfilled on gadgets.test.example.com "a": the object has been modified/),
  );
  const foreign = { ...gadget('a'), metadata: { name: 'a', namespace: 'default', uid: 'other' } };
  assert.throws(() => store.update(gadgetType, foreign), refusedWith(409, /Precondition failed: UID/));
});

test('what the system owns cannot be overwritten', () => {
  const store = new ObjectStore();
  const created = store.create(gadgetType, gadget('a'));
  const updated = store.update(gadgetType, {
    ...gadget('a', { spec: { color: 'blue' } }),
    metadata: { name: 'a', namespace: 'default', creationTimestamp: 'x', generation: 77, deletionTimestamp: 'now' },
  });
  assert.equal(updated.metadata.uid, created.metadata.uid);
  assert.equal(updated.metadata.creationTimestamp, created.metadata.creationTimestamp);
  assert.equal(updated.metadata.generation, 2);
  assert.equal(updated.metadata.deletionTimestamp, undefined);
});

test('an object without finalizers is removed at once', () => {
  const store = new ObjectStore();
  store.create(gadgetType, gadget('a'));
  assert.equal(store.delete(gadgetType, 'default', 'a').removed, true);
  assert.equal(store.get(gadgetType, 'default', 'a'), undefined);
  assert.throws(
    () => store.delete(gadgetType, 'default', 'a'),
    refusedWith(404, /gadgets.test.example.com "a" not found/),
  );
});

test('finalizers hold a deleted object until the last one is gone', () => {
  const store = new ObjectStore();
  store.create(gadgetType, gadget('a', { finalizers: ['one', 'two'] }));
  const events: string[] = [];
  store.observe(({ type }) => events.push(type));
  const { object, removed } = store.delete(gadgetType, 'default', 'a');
  assert.equal(removed, false);
  assert.ok(object.metadata.deletionTimestamp);
  assert.equal(object.metadata.generation, 2);
  const half = store.update(gadgetType, { ...object, metadata: { ...object.metadata, finalizers: ['two'] } });
  assert.ok(store.get(gadgetType, 'default', 'a'));
  store.update(gadgetType, { ...half, metadata: { ...half.metadata, finalizers: [] } });
  assert.equal(store.get(gadgetType, 'default', 'a'), undefined);
  assert.deepEqual(events, ['MODIFIED', 'MODIFIED', 'DELETED']);
});

test('a deletion with preconditions touches only the object that was meant', () => {
  const store = new ObjectStore();
  const { metadata } = store.create(gadgetType, gadget('a'));
  const remove = (preconditions: { uid?: string; resourceVersion?: string }) =>
    store.delete(gadgetType, 'default', 'a', { preconditions });
  assert.throws(() => remove({ uid: 'other' }), refusedWith(409, /Precondition failed: UID in precondition: other/));
  assert.throws(() => remove({ resourceVersion: '1' }), refusedWith(409, /Precondition failed: ResourceVersion/));
  assert.equal(remove({ uid: metadata.uid ?? '' }).removed, true);
});

test('a dry run stores nothing and tells nobody', () => {
  const store = new ObjectStore();
  const before = store.resourceVersion;
  assert.equal(store.create(gadgetType, gadget('a'), { dryRun: true }).metadata.generation, 1);
  assert.equal(store.get(gadgetType, 'default', 'a'), undefined);
  assert.equal(store.resourceVersion, before);
});

test('lists are in the order of namespace and name, whatever came first', () => {
  const store = new ObjectStore();
  for (const name of ['c', 'a', 'b']) store.create(gadgetType, gadget(name));
  store.create(gadgetType, { ...gadget('z'), metadata: { name: 'z', namespace: 'another' } });
  const names = () => store.list(gadgetType).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  assert.deepEqual(names(), ['another/z', 'default/a', 'default/b', 'default/c']);
  store.delete(gadgetType, 'default', 'b');
  assert.deepEqual(names(), ['another/z', 'default/a', 'default/c']);
  assert.equal(store.list(gadgetType, 'another').length, 1);
});

test('stored objects are frozen and unaffected by what callers do with theirs', () => {
  const store = new ObjectStore();
  const mine = gadget('a', { labels: { a: 'b' } });
  const stored = store.create(gadgetType, mine);
  mine.metadata.labels = { changed: 'yes' };
  assert.deepEqual(store.get(gadgetType, 'default', 'a')?.metadata.labels, { a: 'b' });
  assert.throws(() => {
    stored.spec.color = 'blue';
  }, TypeError);
});

test('history answers what happened since, and gives up on what it has forgotten', () => {
  const store = new ObjectStore({ historyLimit: 2 });
  const start = Number(store.resourceVersion);
  for (const name of ['a', 'b', 'c', 'd']) store.create(gadgetType, gadget(name));
  assert.equal(store.eventsSince(gadgetType, start), undefined);
  const names = store.eventsSince(gadgetType, start + 3)?.map(({ object }) => object.metadata.name);
  assert.deepEqual(names, ['d']);
  const newest = Number(store.resourceVersion);
  assert.deepEqual(store.eventsSince(gadgetType, newest), []);
  store.compact();
  assert.equal(store.eventsSince(gadgetType, newest), undefined);
  assert.deepEqual(store.eventsSince(gadgetType, Number(store.resourceVersion)), []);
});

test('subscribers hear of changes in order, also of those that they make themselves', async () => {
  const store = new ObjectStore();
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  store.subscribe(({ type, object }) => {
    heard.push(`${type} ${object.metadata.name}`);
    if (type === 'ADDED' && object.metadata.name === 'a') store.delete(gadgetType, 'default', 'a');
    if (type === 'DELETED') resolve();
  });
  store.create(gadgetType, gadget('a'));
  store.create(gadgetType, gadget('b'));
  assert.deepEqual(heard, [], 'nobody is told while the call is still running');
  await promise;
  assert.deepEqual(heard, ['ADDED a', 'ADDED b', 'DELETED a']);
});
