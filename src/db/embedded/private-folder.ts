import { lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

const folderName = 'runtime-provisioner';

/**
 * A folder of ours outside the project that every account may pass through. Root gets one below /var/lib, because no
 * other account can look into root's home; a plain user gets one in the user's own cache.
 */
export function privateFolder(): string {
  const parents =
    process.getuid?.() === 0
      ? ['/var/lib', '/var/tmp', tmpdir()]
      : [path.join(homedir(), '.cache'), '/var/tmp', tmpdir()];
  const refusals: string[] = [];
  for (const parent of parents) {
    const folder = path.join(
      parent,
      parent.startsWith('/var/tmp') ? `${folderName}-${process.getuid?.()}` : folderName,
    );
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = lstatSync(folder);
      // Somebody else's folder of that name, or one that others may write, could be made to hold their programs.
      if (uid === process.getuid?.() && (mode & 0o022) === 0) return folder;
      refusals.push(`${folder} is writable by others`);
    } catch (error) {
      refusals.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`Found no place for the embedded PostgreSQL: ${refusals.join('; ')}`);
}
