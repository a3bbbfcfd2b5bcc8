// `npm run check`: everything that can be said about the code without running it. `npm run format` repairs the first.
import { runChecks } from './checking/run-checks.ts';

const { failed } = await runChecks();
process.exitCode = failed === 0 ? 0 : 1;
