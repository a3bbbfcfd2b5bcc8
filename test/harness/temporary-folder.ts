import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folders = new Set<string>();

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder that is removed when the process exits. Other users may pass through it, but not look into it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'provisioner-'));
  chmodSync(folder, 0o711);
  folders.add(folder);
  return folder;
}
