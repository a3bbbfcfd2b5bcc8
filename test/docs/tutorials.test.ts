import { spawnSync } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { openWorld } from '../flows/world.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { readExamples } from './support/examples.ts';
import { followedPages } from './support/followed-pages.ts';
import { readBlocks, readPage } from './support/read-page.ts';
import { programsOf, type Reading, runExample } from './support/run-example.ts';

const world = await openWorld();

for (const page of followedPages) {
  describe(`${page}, followed from top to bottom`, () => {
    const reading: Reading = { world, folder: temporaryFolder(), meanings: new Map() };
    let stopped: number | undefined;
    after(() => {
      world.control.liftShootFate();
      world.control.setAgentFate(undefined);
    });

    for (const example of readExamples(readBlocks(readPage(page)))) {
      const missing = programsOf(example).filter((program) => spawnSync(program, ['--help']).error);
      const skip = missing.length > 0 && `${missing.join(' and ')} not on the PATH`;
      test(`line ${example.line} does what the page says`, { skip }, async () => {
        // What follows would wait for what can not come any more.
        if (stopped !== undefined) throw new Error(`line ${stopped} did not do what the page says`);
        stopped = example.line;
        await runExample(example, reading);
        stopped = undefined;
      });
    }
  });
}
