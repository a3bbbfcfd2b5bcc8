import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../../src/domain/duration.ts';

const cases: readonly [text: string, milliseconds: number | undefined, reason: string][] = [
  ['60m', 3_600_000, 'minutes'],
  ['1h30m', 5_400_000, 'several units'],
  ['1.5h', 5_400_000, 'a fraction'],
  ['.5s', 500, 'a fraction without a leading digit, as Go allows'],
  ['300ms', 300, 'ms is not minutes and seconds'],
  ['1m1ms', 60_001, 'm and ms in one'],
  ['1500us', 1.5, 'microseconds'],
  ['1µs', 0.001, 'microseconds in their own letter'],
  ['0', 0, 'nothing needs no unit'],
  ['', undefined, 'no text at all'],
  ['60', undefined, 'a number without a unit'],
  ['m', undefined, 'a unit without a number'],
  ['1d', undefined, 'Go knows no days'],
  ['-5m', undefined, 'time does not run backwards here'],
  ['1h 30m', undefined, 'no spaces'],
  ['1..5s', undefined, 'no number'],
  ['.s', undefined, 'no digit'],
];

test('durations are read as Go writes them', () => {
  for (const [text, milliseconds, reason] of cases)
    assert.equal(parseDuration(text), milliseconds, `${text}: ${reason}`);
});
