import { readText } from '../../../domain/json.ts';
import type { Mistake } from '../checks/mistake.ts';
import { compareVersions } from '../shoot/compare-versions.ts';
import { workerPool } from '../shoot/worker-pool.ts';
import type { FieldRule } from './field-rule.ts';
import { put } from './shoot-draft.ts';

/** True when a full version is one of those that its beginning, such as `1.34`, stands for. */
export function isVersionOf(version: string | undefined, wanted: string): boolean {
  return version === wanted || version?.startsWith(`${wanted}.`) === true;
}

/** Up only, no minor left out. What the Shoot has may be newer than what is asked for: then it stays. */
export const kubernetesVersion: FieldRule = {
  field: 'kubernetesVersion',
  read: (shoot) => readText(shoot, 'spec', 'kubernetes', 'version'),
  *mistakes({ before, after, live }): Generator<Mistake> {
    const wanted = after.kubernetesVersion;
    const running = readText(live, 'spec', 'kubernetes', 'version');
    const known = before.kubernetesVersion ?? running;
    if (wanted === undefined || known === undefined || isVersionOf(running, wanted)) return;
    const path = 'kubernetesVersion';
    if (isOlder(wanted, known)) {
      yield { path, message: `${path} ${wanted} is older than ${known}: Kubernetes cannot be downgraded` };
      return;
    }
    const from = running ?? known;
    const [major, minor] = [0, 1].map((place) => numberAt(wanted, place) - numberAt(from, place));
    if (major === 0 && minor !== undefined && minor <= 1) return;
    const next = `${numberAt(from, 0)}.${numberAt(from, 1) + 1}`;
    const message = `${path} ${wanted} leaves out a minor version: the cluster has ${from}, so that ${next} comes next`;
    yield { path, message };
  },
  write(draft, { after }) {
    const wanted = after.kubernetesVersion;
    const running = readText(draft, 'spec', 'kubernetes', 'version');
    if (wanted === undefined || isVersionOf(running, wanted)) return undefined;
    if (running !== undefined && isOlder(wanted, running)) {
      return { value: running, message: `Kubernetes stays at ${running}, which is newer than ${wanted}` };
    }
    put(draft, ['spec', 'kubernetes', 'version'], wanted);
    return undefined;
  },
};

/** Another image begins with the version that is asked for, or else with Gardener's choice. */
export const machineImage: FieldRule = {
  field: 'machineImage',
  read: (shoot) => readText(workerPool(shoot), 'machine', 'image', 'name'),
  write(draft, { after }) {
    const pool = workerPool(draft);
    const { machineImage: wanted } = after;
    if (!pool || wanted === undefined || readText(pool, 'machine', 'image', 'name') === wanted) return undefined;
    put(pool, ['machine', 'image', 'name'], wanted);
    put(pool, ['machine', 'image', 'version'], after.machineImageVersion);
    return undefined;
  },
};

export const machineImageVersion: FieldRule = {
  field: 'machineImageVersion',
  read: (shoot) => readText(workerPool(shoot), 'machine', 'image', 'version'),
  *mistakes({ before, after, live }): Generator<Mistake> {
    const wanted = after.machineImageVersion;
    const pool = live && workerPool(live);
    const running = readText(pool, 'machine', 'image', 'version');
    const image = before.machineImage ?? readText(pool, 'machine', 'image', 'name');
    const known = before.machineImageVersion ?? running;
    const isAnotherImage = image !== undefined && image !== after.machineImage;
    if (wanted === undefined || known === undefined || isAnotherImage || isVersionOf(running, wanted)) return;
    if (!isOlder(wanted, known)) return;
    const path = 'machineImageVersion';
    yield { path, message: `${path} ${wanted} is older than ${known}: versions only go up` };
  },
  /** After that of the image. */
  write(draft, { after }) {
    const pool = workerPool(draft);
    const wanted = after.machineImageVersion;
    const running = readText(pool, 'machine', 'image', 'version');
    if (!pool || wanted === undefined || isVersionOf(running, wanted)) return undefined;
    if (running !== undefined && isOlder(wanted, running)) {
      return { value: running, message: `The machine image stays at ${running}, which is newer than ${wanted}` };
    }
    put(pool, ['machine', 'image', 'version'], wanted);
    return undefined;
  },
};

/** `1.34` is not older than `1.34.2`, of which it is the beginning. */
function isOlder(wanted: string, known: string): boolean {
  return !isVersionOf(known, wanted) && compareVersions(wanted, known) < 0;
}

function numberAt(version: string, place: number): number {
  return Number.parseInt(version.split('.')[place] ?? '', 10) || 0;
}
