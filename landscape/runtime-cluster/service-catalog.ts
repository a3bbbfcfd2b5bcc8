import { createHash } from 'node:crypto';
import type { StoreEvent } from '../kubernetes/event-history.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';
import { whenNudged } from '../when-nudged.ts';
import type { BrokeredServices } from './brokered-services.ts';
import { isAvailable } from './deployments.ts';
import { ensure, openDefinition, simpleDeployment } from './ensure.ts';

const group = 'servicecatalog.k8s.io';
const namespace = 'kyma-system';
const controller = 'service-catalog-controller-manager';
const finalizer = 'kubernetes-incubator/service-catalog';
/** A broker refuses to let go of an instance that bears it. */
const stuckAnnotation = 'landscape.example/stuck';

const brokers = `clusterservicebrokers.${group}`;
const classes = `clusterserviceclasses.${group}`;
const instances = `serviceinstances.${group}`;
const bindings = `servicebindings.${group}`;

const kinds = [
  { kind: 'ClusterServiceBroker', plural: 'clusterservicebrokers', scope: 'Cluster' },
  { kind: 'ClusterServiceClass', plural: 'clusterserviceclasses', scope: 'Cluster' },
  { kind: 'ServiceInstance', plural: 'serviceinstances', scope: 'Namespaced' },
  { kind: 'ServiceBinding', plural: 'servicebindings', scope: 'Namespaced' },
] as const;

/** What the component of Kyma 1 brings. */
export function installServiceCatalog(cluster: KubernetesApi): void {
  for (const names of kinds) {
    const definition = openDefinition({ group, version: 'v1beta1', ...names });
    ensure(cluster, 'customresourcedefinitions', definition);
  }
  const image = 'landscape.example/service-catalog:v0.3.1';
  ensure(cluster, 'deployments', simpleDeployment(namespace, controller, image));
}

/** Whatever instances there are, nobody cares for them any more. */
export function uninstallServiceCatalog(cluster: KubernetesApi): void {
  cluster.remove('deployments', namespace, controller);
  for (const { plural } of kinds) cluster.remove('customresourcedefinitions', undefined, `${plural}.${group}`);
}

/**
 * Plays the controller of the service catalog in one cluster, as long as its Deployment is available: a broker gets a
 * class, whose name ends with `-database`; an instance is provisioned, and is held by a finalizer until its broker has
 * let go of it, which one with bindings never does.
 */
export class ServiceCatalog {
  readonly #cluster: KubernetesApi;
  readonly #cloud: BrokeredServices;
  readonly #pace: Pace;
  readonly #nudge = whenNudged(() => this.#lookAtAll());

  constructor(cluster: KubernetesApi, cloud: BrokeredServices, pace: Pace) {
    this.#cluster = cluster;
    this.#cloud = cloud;
    this.#pace = pace;
  }

  changed({ resource, object }: StoreEvent): void {
    const isController = resource === 'deployments.apps' && object.metadata.name === controller;
    if (!isController && !resource.endsWith(`.${group}`)) return;
    this.#nudge();
  }

  async #lookAtAll(): Promise<void> {
    for (const broker of this.#list(brokers)) this.#offerClass(broker);
    for (const binding of this.#list(bindings)) this.#holdOrRelease(bindings, binding, () => undefined);
    await Promise.all(this.#list(instances).map((instance) => this.#look(instance)));
  }

  async #look(instance: KubeObject): Promise<void> {
    const { deletionTimestamp, uid = '', name, namespace: home, annotations } = instance.metadata;
    if (deletionTimestamp === undefined) return this.#provision(instance);
    const bound = this.#list(bindings).some(
      ({ metadata, spec }) => metadata.namespace === home && spec?.instanceRef?.name === name,
    );
    if (bound) {
      const message = 'Delete instance blocked by existing ServiceBindings associated with this instance';
      return this.#report(instance, 'False', 'DeprovisionBlockedByExistingCredentials', message);
    }
    if (annotations?.[stuckAnnotation] !== undefined) {
      const message = 'Error deprovisioning: the broker answers 500';
      return this.#report(instance, 'False', 'DeprovisionCallFailed', message);
    }
    this.#report(instance, 'False', 'Deprovisioning', 'The instance is being deprovisioned asynchronously');
    await this.#pace.pass('brokeredService');
    if (this.#list(instances).length === 0) return;
    this.#holdOrRelease(instances, instance, () => this.#cloud.deprovision(uid));
  }

  #provision(instance: KubeObject): void {
    const { uid = '', namespace: home, name = '' } = instance.metadata;
    const wanted = instance.spec?.clusterServiceClassExternalName;
    const found = this.#list(classes).find(({ spec }) => spec.externalName === wanted);
    if (!found) return;
    const ref = found.metadata.name ?? '';
    this.#cluster.write(instances, home, name, (target) => {
      target.metadata.labels = {
        ...target.metadata.labels,
        [`${group}/spec.clusterServiceClassRef.name`]: digest(ref),
      };
      target.spec.clusterServiceClassRef = { name: ref };
    });
    this.#holdOrRelease(instances, instance, () => undefined);
    this.#cloud.provision(uid, `${home}/${name}`);
    this.#report(instance, 'True', 'ProvisionedSuccessfully', 'The instance was provisioned successfully');
  }

  #offerClass({ metadata: { name = '' } }: KubeObject): void {
    ensure(this.#cluster, classes, {
      metadata: {
        name: `class-of-${name}`,
        labels: { [`${group}/spec.clusterServiceBrokerName`]: digest(name) },
      },
      spec: { clusterServiceBrokerName: name, externalName: `${name}-database` },
    });
  }

  #holdOrRelease(type: string, { metadata: { namespace: home, name = '' } }: KubeObject, onRelease: () => void): void {
    this.#cluster.write(type, home, name, ({ metadata }) => {
      const others = (metadata.finalizers ?? []).filter((held) => held !== finalizer);
      metadata.finalizers = metadata.deletionTimestamp === undefined ? [...others, finalizer] : others;
      if (metadata.deletionTimestamp !== undefined) onRelease();
    });
  }

  #report({ metadata }: KubeObject, status: string, reason: string, message: string): void {
    this.#cluster.write(instances, metadata.namespace, metadata.name ?? '', (target) => {
      target.status = { ...target.status, conditions: [{ type: 'Ready', status, reason, message }] };
    });
  }

  /** Nothing while the controller does not work. */
  #list(type: string): readonly KubeObject[] {
    if (!isAvailable(this.#cluster.read('deployments', namespace, controller))) return [];
    return this.#cluster.registry.byName(type) === undefined ? [] : this.#cluster.list(type);
  }
}

/** As the service catalog shortens names for labels. */
function digest(name: string): string {
  return createHash('sha224').update(name).digest('hex');
}
