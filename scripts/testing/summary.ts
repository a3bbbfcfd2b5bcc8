import type { FileResult } from './run-test-file.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Run {
  readonly checks: { readonly passed: number; readonly failed: number };
  readonly results: readonly FileResult[];
  readonly interrupted: boolean;
}

/** One line for a file that ended well; everything that helps for one that did not. */
export function describeFile(result: FileResult): string {
  const { file, milliseconds, records, problem, output, strays } = result;
  const { passed, failed, skipped } = countFile(result);
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`];
  const seconds = (milliseconds / 1000).toFixed(1);
  const lines = [`${failed > 0 ? 'FAILED' : 'ok    '}  ${file}  ${counts.filter(Boolean).join(', ')} (${seconds} s)`];
  for (const { name, error } of records.filter(({ outcome }) => outcome === 'failed')) {
    lines.push(`        ${name}`, indent(error ?? ''));
  }
  if (problem !== undefined) lines.push(`        The file failed: ${problem}`);
  if (strays.length > 0) lines.push(`        left running (now killed): ${strays.join('; ')}`);
  if (failed > 0 && output.trim() !== '') lines.push('        It wrote:', indent(lastLines(output, 60)));
  return lines.join('\n');
}

/** Why tests were skipped, which failed, and as the last line the counts. Checks and tests count alike. */
export function summarise({ checks, results, interrupted }: Run): { text: string; ok: boolean } {
  const perFile = results.map(countFile);
  const sum = (key: keyof Counts) => perFile.reduce((total, counts) => total + counts[key], 0);
  const passed = sum('passed') + checks.passed;
  const failed = sum('failed') + checks.failed;
  const skipped = sum('skipped');
  const lines = [
    ...results.flatMap(({ file, records }) =>
      records
        .filter(({ outcome }) => outcome === 'skipped')
        .map(({ name, reason }) => `skipped  ${file}: ${name} (${reason})`),
    ),
    ...results.flatMap(({ file, records, problem }) => [
      ...records.filter(({ outcome }) => outcome === 'failed').map(({ name }) => `failed   ${file}: ${name}`),
      ...(problem === undefined ? [] : [`failed   ${file}: ${problem}`]),
    ]),
    ...(interrupted ? ['The run was stopped before its end.'] : []),
    ...(results.length === 0 ? ['No test file was found.'] : []),
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ];
  return { text: `\n${lines.join('\n')}\n`, ok: failed === 0 && sum('passed') > 0 && !interrupted };
}

function countFile({ records, problem }: FileResult): Counts {
  const count = (wanted: string) => records.filter(({ outcome }) => outcome === wanted).length;
  return {
    passed: count('passed'),
    failed: count('failed') + (problem === undefined ? 0 : 1),
    skipped: count('skipped'),
  };
}

function lastLines(text: string, limit: number): string {
  return text.trimEnd().split('\n').slice(-limit).join('\n');
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, '          ');
}
