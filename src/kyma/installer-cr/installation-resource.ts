import { readPath, readRecords, readText } from '../../domain/json.ts';
import type {
  KubernetesClient,
  KubernetesObject,
  ObjectReference,
  ResourceKind,
} from '../../kubernetes/kubernetes-client.ts';

const kind: ResourceKind = {
  apiVersion: 'installer.kyma-project.io/v1alpha1',
  plural: 'installations',
  namespaced: true,
};

/** The only one that the installer looks at. */
export const installationReference: ObjectReference & { readonly namespace: string } = {
  ...kind,
  namespace: 'default',
  name: 'kyma-installation',
};

/** Names the installation or upgrade that the Installation was written for last. */
export const runAnnotation = 'kcp.provisioner.kyma-project.io/installation';
/** What the state was when it was taken away for a new run. */
export const stateBeforeAnnotation = 'kcp.provisioner.kyma-project.io/state-before';

export function isInstallation(object: KubernetesObject): boolean {
  return object.kind === 'Installation' && object.apiVersion.startsWith('installer.kyma-project.io/');
}

/** What an Installation says. */
export interface SeenInstallation {
  readonly resourceVersion: string;
  readonly deleting: boolean;
  readonly run: string | undefined;
  readonly stateBefore: string | undefined;
  /** What the installer is told to do; it takes that away when it is done with it. */
  readonly action: string | undefined;
  /** Empty before it has begun. */
  readonly state: string;
  readonly description: string | undefined;
  /** The condition Error is true. */
  readonly hasError: boolean;
  /** The latest entry of the error log. */
  readonly error:
    | { readonly component: string | undefined; readonly log: string; readonly occurrences: number }
    | undefined;
  /** In the order in which they are worked on. */
  readonly components: readonly string[];
}

/** Undefined when there is none, or the cluster does not know the kind. */
export async function findInstallation(
  cluster: KubernetesClient,
  signal: AbortSignal,
): Promise<SeenInstallation | undefined> {
  const found = await cluster.get(installationReference, { signal });
  return found && readInstallation(found);
}

export function readInstallation(found: KubernetesObject): SeenInstallation {
  const { resourceVersion = '', deletionTimestamp, labels, annotations } = found.metadata;
  const conditions = readRecords(found, 'status', 'conditions');
  const latest = readRecords(found, 'status', 'errorLog').at(-1);
  const occurrences = readPath(latest, 'occurrences');
  return {
    ...{ resourceVersion, deleting: deletionTimestamp !== undefined },
    run: annotations?.[runAnnotation],
    stateBefore: annotations?.[stateBeforeAnnotation],
    action: labels?.action || undefined,
    state: readText(found, 'status', 'state') ?? '',
    description: readText(found, 'status', 'description'),
    hasError: conditions.some(({ type, status }) => type === 'Error' && status === 'True'),
    error: latest && {
      component: readText(latest, 'component'),
      log: readText(latest, 'log') ?? 'no reason is given',
      occurrences: typeof occurrences === 'number' ? occurrences : 1,
    },
    components: readRecords(found, 'spec', 'components').flatMap(({ name }) =>
      typeof name === 'string' ? [name] : [],
    ),
  };
}

/**
 * Changes an Installation, unless it has changed since it was seen: then it throws a conflict, and whoever looks again
 * sees what it is now.
 */
export async function patchInstallation({
  cluster,
  seen,
  change,
  signal,
}: {
  readonly cluster: KubernetesClient;
  readonly seen: SeenInstallation;
  readonly change: { readonly metadata?: object; readonly spec?: object; readonly status?: null };
  readonly signal: AbortSignal;
}): Promise<void> {
  const metadata = { ...change.metadata, resourceVersion: seen.resourceVersion };
  await cluster.patch(installationReference, { ...change, metadata }, { signal });
}

/** What is changed for a new run: without the old status nobody takes what was true before for its result. */
export function freshRun(seen: SeenInstallation): {
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: null;
} {
  const stateBefore = seen.state || seen.stateBefore;
  return { annotations: stateBefore ? { [stateBeforeAnnotation]: stateBefore } : {}, status: null };
}
