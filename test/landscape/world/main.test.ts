import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

it('runs alone in the foreground, says how to use it, and stops cleanly on SIGTERM', async () => {
  const arguments_ = ['landscape/main.ts', '--pace', 'instant', '--directory', temporaryFolder()];
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('Ctrl-C')) break;
  }
  assert.match(printed, /kubectl --kubeconfig \S+garden\.kubeconfig get shoots -A -w/);
  assert.match(printed, /export APP_GARDENER_KUBECONFIG_PATH=/);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
