// Prints docs/flows.md from the flow tables; `--check` fails when the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { flows } from '../src/flows/flows.ts';
import type { ProvisionerFlow, ProvisionerStep } from '../src/flows/tools.ts';

const page = new URL('../docs/flows.md', import.meta.url);
const printed = printFlows(flows);

if (!process.argv.includes('--check')) {
  writeFileSync(page, printed);
} else if (readFileSync(page, 'utf8') !== printed) {
  console.error('docs/flows.md is stale: run `npm run generate`');
  process.exit(1);
}

function printFlows(all: readonly ProvisionerFlow[]): string {
  const intro =
    '# Flows\n\nPrinted from `src/flows/` by `npm run generate`. An operation walks down its table; a stage is run again until it is done, fails or passes its deadline.\n';
  return [intro, ...all.map(printFlow)].join('\n');
}

function printFlow(flow: ProvisionerFlow): string {
  const rows = flow.steps.map((step, index) => `| ${index + 1} | ${printStep(step)} |`);
  return `## ${flow.kind}\n\nBegins with "${flow.startMessage}".\n\n| | Stage | Acts through | Deadline | Skipped when | At its deadline |\n|-|-|-|-|-|-|\n${rows.join('\n')}\n\nFirst in a retry, which begins at the stage at which the operation before it ended: ${flow.onRetry?.reads ?? 'nothing'}.\n`;
}

function printStep(step: ProvisionerStep): string {
  const atDeadline = step.goOnAfterDeadline ? 'goes on' : 'fails';
  return [step.stage, step.through, step.deadline, step.skipWhen?.reads ?? '', atDeadline].join(' | ');
}
