// Runs a TypeScript file of this project with the project's own Node. It installs the dependencies first when they are
// missing or out of date, so that every npm script works in a fresh clone. Plain JavaScript that an older Node can run.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const lock = readFileSync(path.join(root, 'package-lock.json'));
const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
const stamp = path.join(root, 'node_modules', '.installed');
const node = path.join(root, 'node_modules', '.bin', 'node');

if (!existsSync(node) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing dependencies (once) ...');
  const npm = spawnSync('npm', ['ci'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (npm.status !== 0) {
    console.error('npm ci failed; see above.');
    process.exit(npm.status ?? 1);
  }
  if (!existsSync(node)) {
    console.error(
      `No Node 26 package exists for ${process.platform}-${process.arch}; Linux and macOS on x64 and arm64 are supported.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compile'), ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
