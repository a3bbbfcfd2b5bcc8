import { randomBytes } from 'node:crypto';
import type { StoreEvent } from '../kubernetes/event-history.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';
import { whenNudged } from '../when-nudged.ts';
import { isAvailable } from './deployments.ts';
import { installComponent, uninstallComponent } from './kyma-installer-components.ts';
import { chartValues } from './kyma-installer-values.ts';

const installations = 'installations.installer.kyma-project.io';
const namespace = 'kyma-installer';
const name = 'kyma-installer';
const finalizer = 'finalizer.installer.kyma-project.io';
/** The last minor version whose installer holds its Installation with a finalizer. */
const lastMinorWithFinalizer = 17;
/** After the first run of a component. */
const retries = 5;

type Action = 'install' | 'uninstall';
interface Component {
  readonly name: string;
  readonly namespace: string;
  readonly source?: { readonly url: string };
}

/**
 * Plays the installer of Kyma 1 in one cluster, as long as its Deployment is available: it acts on the label `action` of
 * the Installation, works through its components and tells about it in the status. A component fails as often as its
 * value `landscape.failures` says, all runs together.
 */
export class KymaInstaller {
  readonly #cluster: KubernetesApi;
  readonly #pace: Pace;
  readonly #failures = new Map<string, number>();
  readonly #nudge = whenNudged(() => this.#look());

  constructor(cluster: KubernetesApi, pace: Pace) {
    this.#cluster = cluster;
    this.#pace = pace;
  }

  changed({ resource, object, type }: StoreEvent): void {
    const isDeployment = resource === 'deployments.apps' && object.metadata.name === name;
    if (isDeployment && type === 'ADDED') this.#startPod(object);
    if (!isDeployment && resource !== installations) return;
    this.#nudge();
  }

  async #look(): Promise<void> {
    const version = this.#version();
    const installation = this.#read();
    if (version === undefined || !installation) return;
    if (this.#holdOrRelease(installation, version)) return;
    const action = installation.metadata.labels?.action;
    const state = installation.status?.state ?? '';
    if (action === 'install') await this.#work('install', version);
    // There is nothing to take away where nothing has ever begun.
    else if (action === 'uninstall' && state !== '') await this.#work('uninstall', version);
  }

  async #work(action: Action, version: string): Promise<void> {
    const components: readonly Component[] = this.#read()?.spec?.components ?? [];
    for (const component of components) {
      for (let attempt = 0; ; attempt++) {
        if (this.#version() !== version || !this.#read()) return;
        // Between retries the state stays Error.
        if (attempt === 0) this.#report('InProgress', `${action} component ${component.name}`, action);
        await this.#pace.pass('installerComponent');
        if (this.#version() !== version || !this.#read()) return;
        const error = this.#carryOut(action, component, version);
        if (error === undefined) break;
        this.#reportError(component, error);
        if (attempt === retries) return this.#takeOrderAway();
        await this.#pace.pass('installerRetry');
      }
    }
    this.#takeOrderAway();
    await this.#pace.pass('installerSettling');
    const [state, description] =
      action === 'install' ? ['Installed', 'Kyma installed'] : ['Uninstalled', 'Kyma uninstalled'];
    this.#report(state, description, action);
  }

  #carryOut(action: Action, component: Component, version: string): string | undefined {
    const values = chartValues(this.#cluster, component.name);
    const failures = this.#failures.get(component.name) ?? 0;
    if (failures < Number(values['landscape.failures'] ?? 0)) {
      this.#failures.set(component.name, failures + 1);
      return `Helm ${action} error: timed out waiting for the condition`;
    }
    if (action === 'install') installComponent(this.#cluster, { ...component, version, values });
    else uninstallComponent(this.#cluster, component);
    return undefined;
  }

  #takeOrderAway(): void {
    this.#write((target) => {
      delete target.metadata.labels?.action;
    });
  }

  #report(state: string, description: string, action: Action): void {
    const done = state !== 'InProgress';
    this.#write((target) => {
      const condition = (type: string, status: boolean) => ({ type, status: status ? 'True' : 'False' });
      target.status = {
        ...target.status,
        ...{ state, description, version: '', url: '' },
        conditions: [
          condition(action === 'install' ? 'Installed' : 'Uninstalled', done),
          condition(action === 'install' ? 'Installing' : 'Uninstalling', !done),
          condition('InProgress', !done),
          condition('Error', false),
        ],
        ...(done && { errorLog: [] }),
      };
    });
  }

  #reportError(component: Component, log: string): void {
    this.#write((target) => {
      const errorLog: { component: string; log: string; occurrences: number }[] = target.status?.errorLog ?? [];
      const last = errorLog.at(-1);
      if (last?.component === component.name && last.log === log) last.occurrences += 1;
      else errorLog.push({ component: component.name, log, occurrences: 1 });
      const conditions: { type: string; status: string }[] = target.status?.conditions ?? [];
      target.status = {
        ...target.status,
        state: 'Error',
        errorLog,
        conditions: conditions.map((each) => (each.type === 'Error' ? { ...each, status: 'True' } : each)),
      };
    });
  }

  /** True when the Installation goes, so that there is nothing else to do. */
  #holdOrRelease(installation: KubeObject, version: string): boolean {
    const holds = installation.metadata.finalizers?.includes(finalizer) === true;
    const deleting = installation.metadata.deletionTimestamp !== undefined;
    if (deleting && holds && installation.status?.state !== 'InProgress') {
      this.#write((target) => {
        target.metadata.finalizers = target.metadata.finalizers?.filter((held) => held !== finalizer) ?? [];
      });
    } else if (!deleting && !holds && Number(version.split('.')[1]) <= lastMinorWithFinalizer) {
      this.#write((target) => {
        target.metadata.finalizers = [...(target.metadata.finalizers ?? []), finalizer];
      });
    }
    return deleting;
  }

  /** Of the installer that runs; undefined when none does. */
  #version(): string | undefined {
    const deployment = this.#cluster.read('deployments', namespace, name);
    if (!deployment || !isAvailable(deployment)) return undefined;
    return deployment.spec.template.spec.containers[0].image.split(':').at(-1);
  }

  #startPod({ metadata, spec }: KubeObject): void {
    const { uid } = metadata;
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true };
    this.#cluster.create('pods', {
      metadata: {
        ...{ namespace, name: `${name}-${randomBytes(5).toString('hex')}` },
        ...{ labels: spec.template.metadata.labels, ownerReferences: [owner] },
      },
      spec: spec.template.spec,
      status: { phase: 'Running' },
    });
  }

  #read(): KubeObject | undefined {
    if (this.#cluster.registry.byName(installations) === undefined) return undefined;
    return this.#cluster.read(installations, 'default', 'kyma-installation');
  }

  #write(change: (target: KubeObject) => void): void {
    if (this.#read()) this.#cluster.write(installations, 'default', 'kyma-installation', change);
  }
}
