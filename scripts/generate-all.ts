// `npm run generate`: prints every generated file anew. With `--check` it changes nothing and fails when one is stale.
import { generators } from './generators.ts';
import { runProgram } from './run-program.ts';

for (const { prints, script } of generators) {
  const { code, output } = await runProgram('node', [script, ...process.argv.slice(2)]);
  console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${prints}`);
  if (output) console.log(output.trimEnd());
  if (code !== 0) process.exitCode = 1;
}
