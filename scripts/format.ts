// `npm run format`: formats every file and applies the safe fixes of the linter.
import { runProgram } from './run-program.ts';

const { code, output } = await runProgram('biome', ['check', '--write', ...process.argv.slice(2)]);
process.stdout.write(output);
process.exitCode = code;
