// `npm run landscape`: the landscape alone, in the foreground, until Ctrl-C.
// `-- --pace instant|demo|realistic`, `-- --directory <folder>`.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startLandscape, tenants } from './landscape.ts';
import { paceNames } from './pace.ts';

const { values } = parseArgs({
  options: {
    pace: { type: 'string', default: 'demo' },
    directory: { type: 'string', default: '.data/landscape' },
  },
});
const pace = paceNames.find((name) => name === values.pace);
if (pace === undefined) {
  console.error(`--pace ${values.pace}: ${paceNames.join(', ')} are possible`);
  process.exit(1);
}

const landscape = await startLandscape({ directory: values.directory, pace });
// Before anything is printed: whoever reads it may stop us at once.
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(130);
    stopping = true;
    landscape.stop().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  });
}

const file = (name: string) => path.join(values.directory, name);
console.log(`The landscape is up, pace ${pace}: it plays the outside world, and keeps everything in memory.

  the Garden              kubectl --kubeconfig ${file('garden.kubeconfig')} get shoots -A -w
  the management cluster  kubectl --kubeconfig ${file('management.kubeconfig')} get secrets -n compass-system
  Director                ${landscape.addresses.director}   (tenants ${tenants.join(', ')})
  Kyma catalogue          ${file('kyma-catalogue.json')}
  control                 curl -s ${landscape.addresses.control}/ ; curl -s ${landscape.addresses.control}/inventory

To run the service against it:

${Object.entries(landscape.environment)
  .map(([name, value]) => `  export ${name}=${value}`)
  .join('\n')}

Ctrl-C stops it.`);
