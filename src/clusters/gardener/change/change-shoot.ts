import { Failure, type Problem } from '../../../domain/failures.ts';
import type { OperationId } from '../../../domain/ids.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { CallOptions, KubernetesClient, ObjectReference } from '../../../kubernetes/kubernetes-client.ts';
import { isObjectNotFound, KubernetesError } from '../../../kubernetes/kubernetes-error.ts';
import type { ChangeManifest } from '../../cluster-driver.ts';
import { clusterLost } from '../../cluster-lost.ts';
import { checkWithProfile } from '../checks/check-with-profile.ts';
import type { Mistake } from '../checks/mistake.ts';
import type { CloudProfiles } from '../cloud-profile/cloud-profiles.ts';
import type { CheckedGardenerChange, GardenerChange, GardenerDriver, GardenerOrder } from '../gardener-order.ts';
import { providers } from '../providers/providers.ts';
import { refusalOf, throwRefusal } from '../refusal.ts';
import { ownershipAnnotations } from '../shoot/ownership.ts';
import { rejectedFields } from '../shoot/rejected-fields.ts';
import { asShoot, type Shoot, shootKind } from '../shoot/shoot.ts';
import { revisionOf } from '../shoot/shoot-revision.ts';
import { poolIndex } from '../shoot/worker-pool.ts';
import { authenticationChange } from './authentication-change.ts';
import { checkShootChange, orderAfter } from './check-change.ts';
import { checkTargetSecret } from './check-target-secret.ts';
import { type DraftedChange, draftChange } from './draft-change.ts';
import type { ChangeSubject } from './field-rule.ts';
import { isAsked } from './field-rules.ts';

interface Settings {
  readonly client: KubernetesClient;
  readonly project: string;
  readonly namespace: string;
  readonly profiles: CloudProfiles;
  /** The Shoot of that order as it is upstream now. */
  readonly readOurs: (order: GardenerOrder, options: CallOptions) => Promise<Shoot | undefined>;
  readonly log: Logger;
}

const noAnswer = 'Gardener does not answer now, so it cannot be found out what it says to this change; try again later';
/** Gardener writes a Shoot's status all the time. */
const attempts = 8;

/** Changes of live Shoots: what was asked for, and nothing else of what is there. */
export function shootChanges(settings: Settings): Pick<GardenerDriver, 'checkChange' | 'planChange' | 'change'> {
  const { client, project, namespace, profiles, readOurs, log } = settings;
  const referenceTo = ({ cluster }: GardenerOrder): ObjectReference => ({
    ...shootKind,
    namespace,
    name: cluster.name,
  });
  const authentication = (change: GardenerChange) => authenticationChange({ client, namespace, change });

  /** Undefined: Gardener does not answer. */
  async function readIfItAnswers(order: GardenerOrder, signal: AbortSignal | undefined, mustAnswer: boolean) {
    try {
      return { shoot: await readOurs(order, signal ? { signal } : {}) };
    } catch (error) {
      if (mustAnswer) throw new Failure('CLUSTER_PROVIDER_UNAVAILABLE', noAnswer, { cause: error });
      log.warn({ err: error, shoot: order.cluster.name }, 'Gardener does not answer; the change will wait for it');
      return undefined;
    }
  }

  /** Answers what Gardener's whole admission says to the patch. */
  async function dryRun(
    { order, fields }: GardenerChange,
    subject: ChangeSubject & { readonly live: Shoot },
    { signal, mustAnswer }: { signal: AbortSignal | undefined; mustAnswer: boolean },
  ): Promise<readonly Problem[]> {
    // The ConfigMap that a Shoot would name is not there yet, and Gardener refuses one that is not.
    const { patch } = draftChange(
      subject,
      fields.filter((field) => field !== 'oidcConfig' || subject.before.oidcConfig !== undefined),
    );
    if (!patch) return [];
    const { uid } = subject.live.metadata;
    try {
      const options = { ...(signal && { signal }), dryRun: true };
      await client.patch(referenceTo(order), { metadata: { uid }, ...patch }, options);
      return [];
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal && error instanceof KubernetesError) {
        return rejectedFields(error, poolIndex(subject.live)).map((mistake) => ({ ...mistake, code: refusal.code }));
      }
      if (isObjectNotFound(error)) return [lost(order)];
      if (mustAnswer) throw new Failure('CLUSTER_PROVIDER_UNAVAILABLE', noAnswer, { cause: error });
      log.warn({ err: error, shoot: order.cluster.name }, 'Gardener does not answer a dry run; the change will wait');
      return [];
    }
  }

  /** Only of fields that become different: what a cluster has already it may keep, offered or not. */
  async function unoffered(change: GardenerChange, drafted: DraftedChange): Promise<readonly Mistake[]> {
    const changed = drafted.fields.map(({ field }) => field);
    const found = await checkWithProfile(profiles, orderAfter(change));
    return found.filter(({ path }) => changed.some((field) => isAsked(path, [field]) || isAsked(field, [path])));
  }

  async function checkLive(
    change: GardenerChange,
    subject: ChangeSubject & { readonly live: Shoot },
    options: { signal: AbortSignal | undefined; mustAnswer: boolean },
  ): Promise<CheckedGardenerChange> {
    const drafted = draftChange(subject, change.fields);
    const keeping = { ...change, target: withKept(change.target, drafted) };
    const mistakes = checkShootChange(change, subject, project);
    const isNew = ({ path }: Mistake) => !mistakes.some((known) => known.path === path);
    const own = [
      ...mistakes,
      ...(await unoffered(keeping, drafted)).filter(isNew),
      ...(await checkTargetSecret({ client, namespace, before: subject.before, after: subject.after, ...options })),
    ];
    const kept = [...drafted.kept.values()].map(({ message }) => message);
    // What Gardener says is about a change that nobody meant while there are mistakes in it.
    if (mistakes.length > 0) return { problems: own, target: keeping.target, kept };
    const theirs = (await dryRun(change, subject, options)).filter(
      ({ path }) => path === '' || !own.some((one) => isAsked(one.path, [path])),
    );
    return { problems: [...own, ...theirs], target: keeping.target, kept };
  }

  return {
    async checkChange(change, signal, { mustAnswer = false } = {}) {
      const { order, target } = change;
      const answer = await readIfItAnswers(order, signal, mustAnswer);
      const live = answer?.shoot;
      const nothing = { target, kept: [] };
      if (answer && !live) return { problems: [lost(order)], ...nothing };
      if (live?.metadata.deletionTimestamp !== undefined) {
        return { problems: [{ path: '', message: beingDeleted(order), code: 'CLUSTER_REJECTED' }], ...nothing };
      }
      const subject = subjectOf(change, live);
      if (!live) return { problems: checkShootChange(change, subject, project), ...nothing };
      return checkLive(change, { ...subject, live }, { signal, mustAnswer });
    },

    async planChange(change, signal) {
      const { order, fields } = change;
      const live = await readOurs(order, { signal });
      if (!live) throw clusterLost(order.cluster);
      const configMap = await authentication(change).plan(signal);
      const { patch, fields: changes } = draftChange({ ...subjectOf(change, live), live }, fields);
      const shoot: ChangeManifest = { subject: `Shoot ${order.cluster.name}`, manifest: patch ?? {}, fields: changes };
      return [...configMap, ...(patch ? [shoot] : [])];
    },

    async change(change, operationId, signal) {
      const { order, fields } = change;
      const beside = authentication(change);
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const live = await readOurs(order, { signal });
        if (!live) throw clusterLost(order.cluster);
        if (live.metadata.deletionTimestamp !== undefined) {
          throw new Failure('CLUSTER_REJECTED', beingDeleted(order));
        }
        const drafted = draftChange({ ...subjectOf(change, live), live }, fields);
        const kept = [...drafted.kept.values()].map(({ message }) => message);
        await beside.before(live, signal);
        const annotations = drafted.patch ? {} : beside.reconciliation(live);
        if (!drafted.patch && !annotations) {
          await beside.after(signal);
          return { revision: revisionOf(live), kept };
        }
        const patched = await send({ order, live, drafted, annotations: annotations ?? {}, operationId, signal }).catch(
          async (error: unknown) => {
            if (isObjectNotFound(error)) throw clusterLost(order.cluster);
            if (refusalOf(error)) await beside.undo(signal);
            return isConflict(error) ? undefined : throwRefusal(error);
          },
        );
        if (!patched) continue;
        await beside.after(signal);
        return { revision: revisionOf(patched), kept: [...kept, ...rollOut(patched)] };
      }
      throw new Error(`Shoot ${order.cluster.name} is changed by others all the time`);
    },
  };

  /** Lands only on the Shoot that the patch was made for. */
  async function send(request: {
    readonly order: GardenerOrder;
    readonly live: Shoot;
    readonly drafted: DraftedChange;
    readonly annotations: Readonly<Record<string, string>>;
    readonly operationId: OperationId;
    readonly signal: AbortSignal;
  }): Promise<Shoot> {
    const { order, live, drafted, annotations, operationId, signal } = request;
    const { uid, resourceVersion } = live.metadata;
    const marks = ownershipAnnotations({ runtimeId: order.runtimeId, operationId });
    const metadata = { uid, resourceVersion, annotations: { ...marks, ...annotations } };
    return asShoot(await client.patch(referenceTo(order), { metadata, ...drafted.patch }, { signal }));
  }
}

function subjectOf({ order, target }: GardenerChange, live: Shoot | undefined): ChangeSubject {
  return { before: order.cluster.config, after: target, provider: providers[target.provider], live };
}

function withKept(target: GardenerChange['target'], { kept }: DraftedChange): GardenerChange['target'] {
  return { ...target, ...Object.fromEntries([...kept].map(([field, { value }]) => [field, value])) };
}

function lost({ cluster }: GardenerOrder): Problem {
  return { path: '', message: clusterLost(cluster).message, code: 'CLUSTER_LOST' };
}

function beingDeleted({ cluster: { name } }: GardenerOrder): string {
  return `cluster ${name} is being deleted`;
}

function isConflict(error: unknown): boolean {
  return error instanceof KubernetesError && error.status === 409;
}

/** An operator may have confined changes to the maintenance window: then nothing happens before. */
function rollOut(shoot: Shoot): readonly string[] {
  const { maintenance } = (shoot.spec ?? {}) as { maintenance?: ConfinedMaintenance };
  if (maintenance?.confineSpecUpdateRollout !== true) return [];
  const { begin = 'unknown', end = 'unknown' } = maintenance.timeWindow ?? {};
  return [`Gardener rolls it out in the maintenance window, ${begin} to ${end}`];
}

interface ConfinedMaintenance {
  readonly confineSpecUpdateRollout?: boolean;
  readonly timeWindow?: { readonly begin: string; readonly end: string };
}
