import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyJsonPatch } from '../../../landscape/kubernetes/patch/json-patch.ts';
import { applyMergePatch } from '../../../landscape/kubernetes/patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../../../landscape/kubernetes/patch/strategic-merge-patch.ts';

interface Case {
  readonly reason: string;
  readonly target: unknown;
  readonly patch: unknown;
  readonly result: unknown;
}

const mergeCases: readonly Case[] = [
  { reason: 'null removes', target: { a: 1, b: 2 }, patch: { a: null }, result: { b: 2 } },
  { reason: 'objects merge', target: { a: { b: 1 } }, patch: { a: { c: 2 } }, result: { a: { b: 1, c: 2 } } },
  { reason: 'lists are replaced', target: { a: [1, 2] }, patch: { a: [3] }, result: { a: [3] } },
  { reason: 'nulls in new objects vanish', target: {}, patch: { a: { b: null, c: 1 } }, result: { a: { c: 1 } } },
];
for (const { reason, target, patch, result } of mergeCases) {
  test(`merge patch: ${reason}`, () => assert.deepEqual(applyMergePatch(target, patch), result));
}

const jsonCases: readonly Case[] = [
  {
    reason: 'add to a list inserts',
    target: { a: [1, 3] },
    patch: [{ op: 'add', path: '/a/1', value: 2 }],
    result: { a: [1, 2, 3] },
  },
  {
    reason: 'add at - appends',
    target: { a: [1] },
    patch: [{ op: 'add', path: '/a/-', value: 2 }],
    result: { a: [1, 2] },
  },
  { reason: 'remove takes a field', target: { a: 1, b: 2 }, patch: [{ op: 'remove', path: '/a' }], result: { b: 2 } },
  {
    reason: 'escapes are read',
    target: { 'a/b': { 'c~d': 1 } },
    patch: [{ op: 'replace', path: '/a~1b/c~0d', value: 2 }],
    result: { 'a/b': { 'c~d': 2 } },
  },
  { reason: 'move moves', target: { a: 1 }, patch: [{ op: 'move', from: '/a', path: '/b' }], result: { b: 1 } },
  {
    reason: 'copy copies',
    target: { a: { x: 1 } },
    patch: [{ op: 'copy', from: '/a', path: '/b' }],
    result: { a: { x: 1 }, b: { x: 1 } },
  },
  {
    reason: 'a test that holds goes on',
    target: { a: 1 },
    patch: [
      { op: 'test', path: '/a', value: 1 },
      { op: 'add', path: '/b', value: 2 },
    ],
    result: { a: 1, b: 2 },
  },
];
for (const { reason, target, patch, result } of jsonCases) {
  test(`JSON patch: ${reason}`, () => assert.deepEqual(applyJsonPatch(target, patch), result));
}

const refusedJsonPatches: readonly { reason: string; patch: unknown; code: number }[] = [
  { reason: 'a test that fails', patch: [{ op: 'test', path: '/a', value: 2 }], code: 422 },
  { reason: 'removal of what is not there', patch: [{ op: 'remove', path: '/x' }], code: 422 },
  { reason: 'an index beyond the list', patch: [{ op: 'add', path: '/list/7', value: 1 }], code: 422 },
  { reason: 'an unknown operation', patch: [{ op: 'turn', path: '/a' }], code: 400 },
  { reason: 'an object instead of a list', patch: { a: 1 }, code: 400 },
];
for (const { reason, patch, code } of refusedJsonPatches) {
  test(`JSON patch refuses ${reason} and leaves the object alone`, () => {
    const target = { a: 1, list: [1] };
    assert.throws(() => applyJsonPatch(target, patch), { code });
    assert.deepEqual(target, { a: 1, list: [1] });
  });
}

const strategicCases: readonly Case[] = [
  {
    reason: 'containers merge by name and keep their order',
    target: {
      containers: [
        { name: 'a', image: '1' },
        { name: 'b', image: '1' },
      ],
    },
    patch: {
      containers: [
        { name: 'b', image: '2' },
        { name: 'c', image: '3' },
      ],
    },
    result: {
      containers: [
        { name: 'a', image: '1' },
        { name: 'b', image: '2' },
        { name: 'c', image: '3' },
      ],
    },
  },
  {
    reason: '$patch delete removes one item',
    target: {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    },
    patch: { env: [{ name: 'A', $patch: 'delete' }] },
    result: { env: [{ name: 'B', value: '2' }] },
  },
  {
    reason: '$patch replace replaces an object',
    target: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
    patch: { strategy: { $patch: 'replace', type: 'Recreate' } },
    result: { strategy: { type: 'Recreate' } },
  },
  {
    reason: '$retainKeys drops the other keys',
    target: { volumes: [{ name: 'v', emptyDir: {} }] },
    patch: { volumes: [{ $retainKeys: ['name', 'secret'], name: 'v', secret: { secretName: 's' } }] },
    result: { volumes: [{ name: 'v', secret: { secretName: 's' } }] },
  },
  {
    reason: '$setElementOrder sorts',
    target: { env: [{ name: 'A' }, { name: 'B' }] },
    patch: { '$setElementOrder/env': [{ name: 'C' }, { name: 'A' }, { name: 'B' }], env: [{ name: 'C' }] },
    result: { env: [{ name: 'C' }, { name: 'A' }, { name: 'B' }] },
  },
  {
    reason: 'finalizers merge as a set and $deleteFromPrimitiveList takes from it',
    target: { finalizers: ['a', 'b'] },
    patch: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] },
    result: { finalizers: ['b', 'c'] },
  },
  { reason: 'other lists are replaced', target: { args: ['a', 'b'] }, patch: { args: ['c'] }, result: { args: ['c'] } },
  {
    reason: 'service ports merge by port, container ports by containerPort',
    target: {
      ports: [{ port: 80, name: 'x' }],
      containers: [{ name: 'c', ports: [{ containerPort: 1, name: 'one' }] }],
    },
    patch: { ports: [{ port: 80, nodePort: 1 }], containers: [{ name: 'c', ports: [{ containerPort: 2 }] }] },
    result: {
      ports: [{ port: 80, name: 'x', nodePort: 1 }],
      containers: [{ name: 'c', ports: [{ containerPort: 1, name: 'one' }, { containerPort: 2 }] }],
    },
  },
];
for (const { reason, target, patch, result } of strategicCases) {
  test(`strategic merge patch: ${reason}`, () => assert.deepEqual(applyStrategicMergePatch(target, patch), result));
}
