/** What stands for what: a value on the page, and the real one. */
export type Meanings = ReadonlyMap<string, string>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Compares an answer on a page with a real one. All of it is the same but for: an id, which stands for one real id from
 * its first mention on; a moment, which stands for any; and a text with `…`, which stands for any text in its place and
 * is remembered as a whole. Answers what has been learned; throws where they differ.
 */
export function matchAnswer(expected: unknown, actual: unknown, known: Meanings): Meanings {
  const meanings = new Map(known);
  compare(expected, actual, '', meanings);
  return meanings;
}

/** The text with everything in it that stands for something replaced. */
export function translate(text: string, meanings: Meanings): string {
  return [...meanings].reduce((result, [page, real]) => result.replaceAll(page, real), text);
}

function compare(expected: unknown, actual: unknown, path: string, meanings: Map<string, string>): void {
  if (typeof expected === 'string' && typeof actual === 'string') {
    compareTexts(expected, actual, path, meanings);
  } else if (isObject(expected) && isObject(actual)) {
    const names = Object.keys(expected);
    if (names.toSorted().join() !== Object.keys(actual).toSorted().join()) throw differ(path, expected, actual);
    for (const name of names) compare(expected[name], actual[name], path ? `${path}.${name}` : name, meanings);
  } else if (expected !== actual) {
    throw differ(path, expected, actual);
  }
}

function compareTexts(expected: string, actual: string, path: string, meanings: Map<string, string>): void {
  if (uuid.test(expected) && uuid.test(actual)) {
    const real = meanings.get(expected) ?? actual;
    meanings.set(expected, real);
    if (real !== actual) throw differ(path, `${expected}, which is ${real}`, actual);
  } else if (expected.includes('…')) {
    const parts = expected.split('…').map((part) => RegExp.escape(translate(part, meanings)));
    if (!new RegExp(`^${parts.join('.*')}$`, 's').test(actual)) throw differ(path, expected, actual);
    if (expected !== '…') meanings.set(expected, actual);
  } else if (!(moment.test(expected) && moment.test(actual)) && translate(expected, meanings) !== actual) {
    throw differ(path, expected, actual);
  }
}

/** Lists too: their places are names. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function differ(path: string, expected: unknown, actual: unknown): Error {
  return new Error(`${path || 'the answer'}: the page has ${JSON.stringify(expected)}, not ${JSON.stringify(actual)}`);
}
