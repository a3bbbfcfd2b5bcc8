// Runs a TypeScript file of this project with the project's own Node. It installs the dependencies first when they are
// missing or out of date, so that every npm script works in a fresh clone. Plain JavaScript that an older Node can run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
// The service itself needs no tools, so an image that was built without them may start it.
const toolsNeeded = !args.some((arg) => arg.startsWith('src/'));

if (!isInstalled()) await install();
run(findNode());

/** Compares what npm says it has installed with what the lock file asks for. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([name, { version, integrity, optional, dev, devOptional }]) => {
    if (name === '') return true;
    const found = installed[name];
    if (found === undefined) return optional || ((dev || devOptional) && !toolsNeeded);
    return found.version === version && found.integrity === integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** One installation at a time: a second run waits for the first and then finds its work done. */
async function install() {
  const lock = path.join(root, '.data', 'install.lock');
  mkdirSync(path.dirname(lock), { recursive: true });
  if (existsSync(lock)) console.error('Waiting for an installation that another command has begun ...');
  while (!(await takeLock(lock))) await sleep(300);
  try {
    if (isInstalled()) return;
    console.error('Installing dependencies (once) ...');
    // A cautious setting of the user or NODE_ENV=production must not leave out what the scripts need.
    // No dependency needs its install script, so none is run.
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--include=dev', '--include=optional'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, PATH: pathWithoutProject() },
    });
    if (npm.signal) endLike(npm.signal);
    if (npm.status !== 0) {
      console.error(`npm ci failed${npm.error ? `: ${npm.error.message}` : '; see above'}.`);
      process.exitCode = npm.status || 1;
    }
  } finally {
    rmSync(lock, { force: true });
  }
  if (process.exitCode) process.exit();
}

async function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = Number(readFileOrEmpty(lock));
  await sleep(100); // The holder may have created the file and not yet written its process id.
  if (holder === Number(readFileOrEmpty(lock)) && !isAlive(holder)) rmSync(lock, { force: true });
  return false;
}

function readFileOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** npm must not run with the Node that it is about to replace. */
function pathWithoutProject() {
  const own = path.join(root, 'node_modules', '.bin');
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.filter((folder) => path.resolve(folder) !== own).join(path.delimiter);
}

/** The one that a package of the lock file brings; not every npm links it into node_modules/.bin. */
function findNode() {
  const { platform, arch, versions } = process;
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    const node = path.join(root, 'node_modules', name, 'bin', 'node');
    if (existsSync(node)) return node;
  }
  if (Number.parseInt(versions.node, 10) >= 26) return process.execPath;
  console.error(
    `No Node 26 package exists for ${platform}-${arch}. Linux (glibc) and macOS on x64 and arm64 have one; elsewhere start with your own Node 26.`,
  );
  process.exit(1);
}

function run(node) {
  const env = {
    NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compile'),
    ...process.env,
    // Tools that ask for "node" get the same one.
    PATH: [path.dirname(node), process.env.PATH].join(path.delimiter),
  };
  process.chdir(root);
  // Becoming the program, where this Node can, leaves nobody in between to lose a signal or an exit code.
  if (process.execve) process.execve(node, [node, ...args], env);
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${node} cannot be run: ${error.message}. On Linux it needs glibc.`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => (signal ? endLike(signal) : process.exit(code ?? 1)));
}

/** Tells our caller what ended the program, in the way shells do. */
function endLike(signal) {
  process.exit(128 + (constants.signals[signal] ?? 0));
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
