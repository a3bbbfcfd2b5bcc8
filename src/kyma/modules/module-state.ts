import { readPath, readRecords, readText } from '../../domain/json.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';

/** `attention`: the module is deployed, and waits for something that a user must do. */
export interface ModuleState {
  readonly state: 'absent' | 'working' | 'attention' | 'ready';
  readonly message: string;
}

const longestMessage = 300;

/**
 * How far a module is: ready when its manager is available at its current generation and its custom resource says so. An
 * error in the custom resource is not final: managers check again, and many errors are a dependency that is not there yet.
 */
export function moduleState(module: {
  readonly manager: KubernetesObject | undefined;
  readonly resource: KubernetesObject | undefined;
}): ModuleState {
  const { manager, resource } = module;
  if (!manager && !resource) return { state: 'absent', message: 'not there' };
  const trouble = managerTrouble(manager);
  if (trouble !== undefined) return { state: 'working', message: trouble };
  if (!resource) return { state: 'working', message: 'its custom resource is missing' };
  return resourceState(resource);
}

/** Undefined when the Deployment of a manager works as it is specified now. */
function managerTrouble(manager: KubernetesObject | undefined): string | undefined {
  if (!manager) return 'its manager Deployment is missing';
  const { generation = 0, name } = manager.metadata;
  const observed = readPath(manager, 'status', 'observedGeneration');
  if (typeof observed !== 'number' || observed < generation) return `manager ${name}: starting`;
  const conditions = readRecords(manager, 'status', 'conditions');
  const available = conditions.find(({ type }) => type === 'Available');
  if (available?.status !== 'True') return `manager ${name}: ${words(available) ?? 'not available yet'}`;
  const replicas = readPath(manager, 'spec', 'replicas') ?? 1;
  const updated = readPath(manager, 'status', 'updatedReplicas');
  if (typeof updated === 'number' && typeof replicas === 'number' && updated < replicas) {
    return `manager ${name}: being replaced`;
  }
  return undefined;
}

function resourceState(resource: KubernetesObject): ModuleState {
  if (resource.metadata.deletionTimestamp) return { state: 'working', message: 'its custom resource is being deleted' };
  const state = readText(resource, 'status', 'state');
  if (!state || isStale(resource)) return { state: 'working', message: 'Processing' };
  const details = statusWords(resource);
  const message = details ? `${state}: ${details}` : state;
  if (state === 'Ready') return { state: 'ready', message: state };
  if (state === 'Warning') return { state: 'attention', message };
  return { state: 'working', message };
}

/** True when the status was written for an earlier version of the resource than there is now. */
function isStale(resource: KubernetesObject): boolean {
  const generations = [
    readPath(resource, 'status', 'observedGeneration'),
    ...readRecords(resource, 'status', 'conditions').map(({ observedGeneration }) => observedGeneration),
  ].filter((generation) => typeof generation === 'number');
  return generations.length > 0 && Math.max(...generations) < (resource.metadata.generation ?? 0);
}

function statusWords(resource: KubernetesObject): string | undefined {
  const unmet = readRecords(resource, 'status', 'conditions').find(({ status }) => status === 'False');
  return shorten(readText(resource, 'status', 'description') ?? words(unmet));
}

function words(condition: Record<string, unknown> | undefined): string | undefined {
  return shorten(readText(condition, 'message') ?? readText(condition, 'reason'));
}

function shorten(text: string | undefined): string | undefined {
  return text && text.length > longestMessage ? `${text.slice(0, longestMessage)}...` : text;
}
