import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readExamples } from './support/examples.ts';
import { matchAnswer, translate } from './support/match.ts';
import { readBlocks } from './support/read-page.ts';

const nothing = new Map<string, string>();
const [one, other, third] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);

describe('an answer on a page', () => {
  test('teaches what its ids and abbreviations stand for', () => {
    const meanings = matchAnswer({ id: one, cursor: 'abc…' }, { id: other, cursor: 'abcdef' }, nothing);
    assert.equal(translate(`{ x(id: "${one}", after: "abc…") }`, meanings), `{ x(id: "${other}", after: "abcdef") }`);
  });

  for (const [what, expected, actual] of [
    ['an id that stood for another one before', { first: one, second: one }, { first: other, second: third }],
    ['a text', { message: 'done' }, { message: 'failed' }],
    ['an abbreviated text', { message: 'cluster … failed' }, { message: 'cluster c-1 works' }],
    ['a field that is missing', { id: 1, name: 'a' }, { id: 1 }],
    ['a field that the page does not have', { id: 1 }, { id: 1, name: 'a' }],
    ['a list that is longer', { nodes: [1] }, { nodes: [1, 2] }],
    ['a null', { error: null }, { error: { message: 'x' } }],
    ['a moment that is none', { at: '2026-11-20T09:41:00.000Z' }, { at: 'yesterday' }],
  ] as const) {
    test(`differs from the real one in ${what}`, () => {
      assert.throws(() => matchAnswer(expected, actual, nothing), /the page has/);
    });
  }
});

describe('the blocks of a page', () => {
  const read = (page: string) => readExamples(readBlocks(page));

  test('are put together with their variables and answers', () => {
    const [example, ...others] = read(
      '# Page\n\n```graphql\n{ a }\n```\n\n```json\n{ "x": 1 }\n```\nText.\n\n```json\n{ "data": {} }\n```\n',
    );
    assert.deepEqual(others, []);
    assert.deepEqual(example, {
      kind: 'graphql',
      line: 3,
      landscape: '',
      document: '{ a }\n',
      variables: '{ "x": 1 }\n',
      answers: ['{ "data": {} }\n'],
    });
  });

  test('are refused when one belongs to nothing', () => {
    assert.throws(() => read('```json\n{}\n```\n'), /line 1: .* after nothing/);
    assert.throws(() => read('```yaml\na: 1\n```\n'), /line 1: .* after nothing/);
    assert.deepEqual(read('<!-- not run: it is only a sketch -->\n```yaml\na: 1\n```\n'), []);
  });
});
