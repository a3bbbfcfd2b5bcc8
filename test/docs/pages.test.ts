import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Anchors } from '../../scripts/api-reference/anchors.ts';
import { variables } from '../../src/config-variables.ts';
import { failureKinds } from '../../src/domain/failures.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { silentLog } from '../harness/silent-log.ts';
import { readExamples } from './support/examples.ts';
import { followedPages } from './support/followed-pages.ts';
import { type Block, pages, readBlocks, readPage } from './support/read-page.ts';

describe('what pages show and name', () => {
  const tests = globSync('test/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));

  for (const page of pages) {
    const text = readPage(page);
    const blocks = readBlocks(text);

    test(`every example of ${page} is run by a test`, () => {
      if (followedPages.includes(page)) {
        assert.ok(readExamples(blocks).length > 0, 'the page has no examples');
        return;
      }
      const examples = blocks.filter(isExample);
      const hasTest = tests.some((test) => test.includes(page));
      const lines = examples.map(({ line }) => line).join(', ');
      assert.ok(examples.length === 0 || hasTest, `no test names ${page}; it has examples in lines ${lines}`);
    });

    test(`every link of ${page} leads somewhere`, () => {
      const broken = linksOf(text).filter((link) => !leadsSomewhere(page, link));
      assert.deepEqual(broken, []);
    });

    test(`${page} names npm scripts and variables that there are`, () => {
      const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
      const known = new Set([...Object.keys(scripts), 'ci', 'install']);
      const named = [...text.matchAll(/(?:^|`)npm (?:run )?([a-z]+)/gm)].map(([, name]) => name ?? '');
      assert.deepEqual(
        named.filter((name) => !known.has(name)),
        [],
      );
      const settings = [...text.matchAll(/\bAPP_[A-Z0-9_]+(?![A-Z0-9_]*[*.])/g)].map(([name]) => name);
      assert.deepEqual(
        settings.filter((name) => !name.endsWith('_') && !Object.hasOwn(variables, name)),
        [],
      );
    });
  }

  test('every page is in the index of docs/, or below a folder that is', () => {
    const index = linksOf(readPage('docs/README.md')).map((link) => path.posix.join('docs', link));
    const missing = pages.filter(
      (page) => page !== 'docs/README.md' && !index.some((entry) => page === entry || page.startsWith(entry)),
    );
    assert.deepEqual(missing, []);
  });
});

describe('docs/operating.md', () => {
  const text = readPage('docs/operating.md');

  test('names every metric of the service, and no other', async () => {
    const { registry } = createMetrics({
      operationsInProgress: async () => ({}),
      engine: () => ({ running: 0, capacity: 1 }),
      log: silentLog,
    });
    const metrics = await registry.getMetricsAsJSON();
    const own = metrics.map(({ name }) => name).filter((name) => name.includes('provisioner_'));
    const named = new Set(text.match(/\b(?:compass_|kcp_)?provisioner_\w+/g));
    assert.deepEqual([...named].toSorted(), own.toSorted());
  });

  test('says what to do about every failure that is the operator’s', () => {
    const codes = Object.entries(failureKinds).filter(([, { actor }]) => actor === 'operator');
    const silent = codes.filter(([code]) => !text.includes(`| \`${code}\` |`)).map(([code]) => code);
    assert.deepEqual(silent, []);
  });
});

test('the schema names errors that there are', () => {
  const files = globSync('schema/*.graphql').map((file) => readFileSync(file, 'utf8'));
  const lists = files.flatMap((text) => text.match(/Errors: [^.]*\./g) ?? []);
  const named = lists.flatMap((list) => [...list.matchAll(/`([A-Z_]+)(\*?)`/g)]);
  assert.ok(named.length > 0);
  const codes = Object.keys(failureKinds);
  const unknown = named.filter(
    ([, name = '', star]) => !codes.some((code) => (star ? code.startsWith(name) : code === name)),
  );
  assert.deepEqual(
    unknown.map(([name]) => name),
    [],
  );
});

/** What a reader would send or type. */
function isExample({ language, text, remark }: Block): boolean {
  if (remark.startsWith('not run: ')) return false;
  return ['graphql', 'json'].includes(language) || (language === 'sh' && /\b(curl|kubectl|wscat)\b/.test(text));
}

/** Not those to other sites. */
function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readPage(target)).includes(anchor);
}

function anchorsOf(text: string): readonly string[] {
  const anchors = new Anchors();
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchors.add((heading ?? '').replaceAll('`', '')));
}
