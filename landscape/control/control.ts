import type { Artifacts } from '../artifacts/artifacts.ts';
import type { AccessTokens } from '../director/access-tokens.ts';
import type { Director } from '../director/director.ts';
import type { ShootFate, ShootFates } from '../garden/shoot-fates.ts';
import type { GkeFate } from '../gke/gke-fates.ts';
import type { GoogleCloud } from '../gke/google-cloud.ts';
import type { GoogleRole } from '../gke/google-identities.ts';
import { type GoogleInventory, takeGoogleInventory } from '../gke/google-inventory.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { WatchEnding } from '../kubernetes/watch-hub.ts';
import type { Pace, PaceName } from '../pace.ts';
import type { AgentFate, AgentFates } from '../runtime-cluster/agent-fates.ts';
import type { BrokeredServices } from '../runtime-cluster/brokered-services.ts';
import type { RuntimeClusters } from '../runtime-cluster/runtime-clusters.ts';
import type { FaultRule, Faults, Target } from './faults.ts';
import type { Gate, Gatekeeper } from './gate.ts';
import { type Inventory, takeInventory } from './inventory.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';

/** The values of the Secret with the Director's credentials. */
export interface DirectorCredentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly tokens_endpoint: string;
}

export interface ControlParts {
  readonly credentials: DirectorCredentials;
  readonly garden: KubernetesApi;
  readonly management: KubernetesApi;
  readonly clusters: RuntimeClusters;
  readonly director: Director;
  readonly accessTokens: AccessTokens;
  readonly artifacts: Artifacts;
  readonly google: GoogleCloud;
  readonly fates: ShootFates;
  readonly agentFates: AgentFates;
  readonly brokeredServices: BrokeredServices;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly gate: Gate;
  readonly pace: Pace;
}

/** What a person or a test may do to the landscape from outside of its APIs. Also served over HTTP. */
export class Control {
  readonly #parts: ControlParts;
  #madeShoots = 0;

  constructor(parts: ControlParts) {
    this.#parts = parts;
    parts.garden.subscribe('shoots', ({ type }) => {
      if (type === 'ADDED') this.#madeShoots += 1;
    });
  }

  /** The credentials with which the service speaks to the Director. */
  credentials(): DirectorCredentials {
    return this.#parts.credentials;
  }

  /** Answers the fault's id. */
  addFault(rule: FaultRule): string {
    return this.#parts.faults.add(rule);
  }

  /** False when there is no such fault. */
  removeFault(id: string): boolean {
    return this.#parts.faults.remove(id);
  }

  clearFaults(): void {
    this.#parts.faults.clear();
  }

  faults(): { id: string; rule: FaultRule; hits: number }[] {
    return this.#parts.faults.list();
  }

  /** Has every request held from now on, before it is carried out and before it is answered; undefined: none. */
  keepGate(keeper: Gatekeeper | undefined): void {
    this.#parts.gate.keeper = keeper;
  }

  /** Ends the running watches of an API (`garden`, `management` or a cluster's technical id), as the network might. */
  dropWatches(api = 'garden', how: WatchEnding['how'] = 'reset'): void {
    this.#api(api)?.endWatches({ how });
  }

  /** Makes an API forget its history, and ends its watches: whoever resumes gets 410. */
  expireWatches(api = 'garden'): void {
    const found = this.#api(api);
    found?.store.compact();
    found?.endWatches({ how: 'close' });
  }

  /** By the Shoot's name; `*` for every Shoot without a fate of its own. May come before the Shoot. */
  setShootFate(shoot: string, fate: ShootFate): void {
    this.#parts.fates.set(shoot, fate);
  }

  /** Of all Shoots when none is named. */
  liftShootFate(shoot?: string): void {
    this.#parts.fates.lift(shoot);
  }

  /** What becomes of the Runtime Agents from now on; undefined: they succeed again. */
  setAgentFate(fate: AgentFate | undefined): void {
    this.#parts.agentFates.set(fate);
  }

  /** `<namespace>/<name>` of each service that exists in the cloud for a ServiceInstance. */
  brokeredServices(): readonly string[] {
    return this.#parts.brokeredServices.all();
  }

  /** The Connector trusts no certificate and no token any more that was given to this Runtime so far. */
  revokeSystemAuths(runtimeId: string): void {
    this.#parts.director.oneTimeTokens.removeRuntime(runtimeId);
  }

  shootFates(): Record<string, ShootFate> {
    return this.#parts.fates.list();
  }

  /** By the name of the GKE cluster; `*` for every one without a fate of its own. May come before the cluster. */
  setGkeFate(cluster: string, fate: GkeFate): void {
    this.#parts.google.fates.set(cluster, fate);
  }

  /** Of all GKE clusters when none is named. */
  liftGkeFate(cluster?: string): void {
    this.#parts.google.fates.lift(cluster);
  }

  /** As somebody does in Google's console. */
  deleteGkeCluster(cluster: string): void {
    const { gke } = this.#parts.google;
    const found = gke.all().find(({ json }) => json.name === cluster);
    if (found) gke.delete({ project: found.project, location: found.json.location }, cluster);
  }

  gkeFates(): Record<string, GkeFate> {
    return this.#parts.google.fates.list();
  }

  /** What exists in the Google Cloud project now. */
  googleInventory(): GoogleInventory {
    return takeGoogleInventory(this.#parts.google);
  }

  /** The JSON file of a new key of a Google service account of that name. */
  createGoogleKey(account: { name: string; role?: GoogleRole }): Promise<string> {
    return this.#parts.google.identities.createKey(account);
  }

  /** A key with this id, and every Google access token, is refused from now on. */
  deleteGoogleKey(keyId: string): void {
    this.#parts.google.identities.deleteKey(keyId);
    this.#parts.google.identities.revokeTokens();
  }

  get pace(): PaceName {
    return this.#parts.pace.name;
  }

  setPace(pace: PaceName): void {
    this.#parts.pace.change(pace);
  }

  /** Every OAuth2 access token given out so far is refused from now on. */
  revokeAccessTokens(): void {
    this.#parts.accessTokens.revokeAll();
  }

  /** Of access tokens given out from now on. */
  setAccessTokenLifetime(seconds: number): void {
    this.#parts.accessTokens.lifetimeSeconds = seconds;
  }

  /** The artifact at this path no longer has the digest that the catalogue names. False: there is none. */
  corruptArtifact(path: string): boolean {
    return this.#parts.artifacts.corrupt(path);
  }

  requests(target?: Target): LoggedRequest[] {
    return this.#parts.requests.entries(target);
  }

  /** Requests so far, by `target method`. */
  requestCounters(): Record<string, number> {
    return this.#parts.requests.counters();
  }

  clearRequests(): void {
    this.#parts.requests.clear();
  }

  /** Shoots that were ever made, beside what still exists of them. */
  madeShoots(): number {
    return this.#madeShoots;
  }

  /** What exists now. */
  inventory(): Inventory {
    return takeInventory(this.#parts);
  }

  /** `services default/web` of everything in a cluster, by its technical id. */
  objectsIn(technicalId: string): readonly string[] {
    const { api } = this.#parts.clusters.find(technicalId) ?? {};
    if (api === undefined) return [];
    return api.registry.all().flatMap((type) => {
      const place = (namespace: string | undefined) => (namespace === undefined ? '' : `${namespace}/`);
      return api.list(type).map(({ metadata }) => `${type.plural} ${place(metadata.namespace)}${metadata.name}`);
    });
  }

  #api(name: string): KubernetesApi | undefined {
    const { garden, management, clusters } = this.#parts;
    if (name === 'garden') return garden;
    return name === 'management' ? management : clusters.find(name)?.api;
  }
}
