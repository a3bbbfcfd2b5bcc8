import type { StoreEvent } from '../kubernetes/event-history.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';
import { whenNudged } from '../when-nudged.ts';
import { isAvailable } from './deployments.ts';
import type { ModuleScript } from './module-scripts.ts';

const managerNamespace = 'kyma-system';

/**
 * Plays one module's manager in one cluster, as long as its Deployment is available: finalizer and `Processing`, the
 * work, `Ready`; on deletion `Deleting`, the clean-up, and the finalizer goes. Without its manager nothing moves.
 */
export class ModuleManager {
  readonly #cluster: KubernetesApi;
  readonly #script: ModuleScript;
  readonly #pace: Pace;
  /** Generations of resource and manager that were last worked on. */
  #finished: string | undefined;
  readonly #nudge = whenNudged(() => this.#look());

  constructor(cluster: KubernetesApi, script: ModuleScript, pace: Pace) {
    this.#cluster = cluster;
    this.#script = script;
    this.#pace = pace;
  }

  changed({ resource, object }: StoreEvent): void {
    const concerns =
      resource === this.#script.resource ||
      resource === 'customresourcedefinitions.apiextensions.k8s.io' ||
      (resource === 'deployments.apps' && object.metadata.name === this.#script.manager) ||
      (resource === 'secrets' && object.metadata.name === this.#script.readsSecret) ||
      // Whatever else goes may have been what blocked the deletion.
      (this.#script.blocksDeletion !== undefined && resource.endsWith('.istio.io'));
    if (!concerns) return;
    this.#nudge();
  }

  async #look(): Promise<void> {
    const { resource, manager } = this.#script;
    if (this.#cluster.registry.byName(resource) === undefined) return;
    const deployment = this.#cluster.read('deployments', managerNamespace, manager);
    if (!deployment || !isAvailable(deployment)) return;
    const [first, ...others] = this.#cluster.list(resource).toSorted(byAge);
    if (!first) {
      this.#finished = undefined;
      return;
    }
    for (const other of others) {
      if (other.metadata.deletionTimestamp) this.#releaseFinalizer(other);
      else this.#report(other, 'Warning', `only one resource is reconciled: ${first.metadata.name} is older`);
    }
    if (first.metadata.deletionTimestamp) return this.#uninstall(first);
    const key = `${first.metadata.uid}/${first.metadata.generation}/${deployment.metadata.generation}`;
    if (this.#finished === key) return;
    // What the one before it reported still stands.
    if (this.#finished !== undefined) await this.#pace.pass('moduleNotice');
    await this.#install(first, key);
  }

  async #install(resource: KubeObject, key: string): Promise<void> {
    const { obstacle, install, finalizer } = this.#script;
    if (!resource.metadata.finalizers?.includes(finalizer)) {
      this.#write(resource, (target) => {
        target.metadata.finalizers = [...(target.metadata.finalizers ?? []), finalizer];
      });
    }
    const found = obstacle?.(this.#cluster);
    if (found) return this.#report(resource, found.state, found.description);
    this.#report(resource, 'Processing', 'Reconciliation in progress');
    await this.#pace.pass('moduleReconcile');
    const newest = this.#read(resource);
    if (!newest || newest.metadata.deletionTimestamp || newest.metadata.generation !== resource.metadata.generation)
      return;
    install?.(this.#cluster);
    this.#finished = key;
    this.#report(resource, 'Ready', 'Reconciliation succeeded');
  }

  async #uninstall(resource: KubeObject): Promise<void> {
    const { blocksDeletion, uninstall, finalizer } = this.#script;
    if (!resource.metadata.finalizers?.includes(finalizer)) return;
    const blocker = blocksDeletion?.(this.#cluster);
    if (blocker) return this.#report(resource, 'Warning', blocker);
    this.#report(resource, 'Deleting', 'Proceeding with deletion');
    await this.#pace.pass('moduleDeletion');
    uninstall?.(this.#cluster);
    this.#finished = undefined;
    this.#releaseFinalizer(resource);
  }

  #releaseFinalizer(resource: KubeObject): void {
    this.#write(resource, (target) => {
      target.metadata.finalizers = (target.metadata.finalizers ?? []).filter((held) => held !== this.#script.finalizer);
    });
  }

  #report(resource: KubeObject, state: string, description: string): void {
    const { condition: type, reportsObservedGeneration } = this.#script;
    this.#write(resource, (target) => {
      if (
        target.status?.state === state &&
        target.status.description === description &&
        state !== 'Processing' &&
        state !== 'Ready'
      )
        return;
      const status = state === 'Ready' ? 'True' : 'False';
      const before = target.status?.conditions?.[0];
      target.status = {
        state,
        description,
        ...(reportsObservedGeneration ? { observedGeneration: target.metadata.generation } : {}),
        conditions: [
          {
            type,
            status,
            reason: state === 'Ready' ? 'ReconcileSucceeded' : `Reconcile${state}`,
            message: description,
            lastTransitionTime: before?.status === status ? before.lastTransitionTime : timeAfter(before),
          },
        ],
      };
    });
  }

  #read({ metadata }: KubeObject): KubeObject | undefined {
    return this.#cluster.read(this.#script.resource, metadata.namespace, metadata.name ?? '');
  }

  #write({ metadata }: KubeObject, change: (target: KubeObject) => void): void {
    if (this.#cluster.registry.byName(this.#script.resource) === undefined) return;
    this.#cluster.write(this.#script.resource, metadata.namespace, metadata.name ?? '', change);
  }
}

/** To the second, as Kubernetes writes it, and never the same twice: in the world a reconciliation takes longer. */
function timeAfter(before: { readonly lastTransitionTime: string } | undefined): string {
  const earliest = before === undefined ? 0 : Date.parse(before.lastTransitionTime) + 1_000;
  return `${new Date(Math.max(Date.now(), earliest)).toISOString().slice(0, 19)}Z`;
}

function byAge(one: KubeObject, other: KubeObject): number {
  return (one.metadata.creationTimestamp ?? '').localeCompare(other.metadata.creationTimestamp ?? '');
}
