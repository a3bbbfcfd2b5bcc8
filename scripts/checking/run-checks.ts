import { generators } from '../generators.ts';
import { findViolations } from '../import-rule/find-violations.ts';
import { readImports } from '../import-rule/read-imports.ts';
import { type ProgramResult, runProgram } from '../run-program.ts';

interface Check {
  readonly name: string;
  run(): Promise<ProgramResult>;
}

const checks: readonly Check[] = [
  { name: 'format and lint (biome)', run: () => runProgram('biome', ['check', '--error-on-warnings']) },
  { name: 'lint (oxlint)', run: () => runProgram('oxlint', ['--deny-warnings']) },
  { name: 'types (tsc)', run: () => runProgram('tsc', ['-p', '.']) },
  { name: 'unused code (knip)', run: () => runProgram('knip', ['--no-progress']) },
  { name: 'dependency direction', run: checkImports },
  ...generators.map(({ prints, script }) => ({
    name: `up to date: ${prints}`,
    run: () => runProgram('node', [script, '--check']),
  })),
];

/** Runs them at the same time; prints one line for each, followed by its output if it failed. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  let failed = 0;
  await Promise.all(
    checks.map(async ({ name, run }) => {
      const { code, output } = await run();
      if (code === 0) return console.log(`ok      ${name}`);
      failed += 1;
      console.log(`FAILED  ${name}\n${indent(output)}`);
    }),
  );
  return { passed: checks.length - failed, failed };
}

async function checkImports(): Promise<ProgramResult> {
  const violations = findViolations(readImports('.'));
  return { code: violations.length === 0 ? 0 : 1, output: violations.join('\n') };
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, '        ');
}
