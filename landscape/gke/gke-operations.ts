import { randomBytes } from 'node:crypto';
import { GkeError } from './gke-error.ts';
import { isZone } from './gke-places.ts';
import type { OperationJson, OperationType } from './gke-types.ts';
import { googleProject } from './google-identities.ts';

export interface Place {
  readonly project: string;
  readonly location: string;
}

interface StoredOperation extends Place {
  readonly cluster: string;
  readonly json: OperationJson;
}

const verbs: Readonly<Record<OperationType, string>> = {
  CREATE_CLUSTER: 'creating',
  DELETE_CLUSTER: 'deleting',
  UPGRADE_MASTER: 'upgrading',
  UPGRADE_NODES: 'upgrading nodes of',
  UPDATE_CLUSTER: 'updating',
  SET_LABELS: 'labelling',
  CREATE_NODE_POOL: 'adding nodes to',
  DELETE_NODE_POOL: 'removing nodes from',
  SET_NODE_POOL_SIZE: 'resizing',
  REPAIR_CLUSTER: 'repairing',
};

/** The operations of all clusters; at most one at a time on each. */
export class GkeOperations {
  readonly #operations: StoredOperation[] = [];

  begin(place: Place, cluster: string, operationType: OperationType): OperationJson {
    const running = this.running(place, cluster);
    if (running) {
      const message = `Operation ${running.name} is currently ${verbs[running.operationType]} cluster ${cluster}. Please wait and try again once it is done.`;
      throw new GkeError('FAILED_PRECONDITION', message, 'CLUSTER_ALREADY_HAS_OPERATION');
    }
    const name = `operation-${Date.now()}-${randomBytes(4).toString('hex')}`;
    const json: OperationJson = {
      name,
      operationType,
      zone: place.location,
      location: place.location,
      status: 'RUNNING',
      selfLink: linkTo(place, `operations/${name}`),
      targetLink: linkTo(place, `clusters/${cluster}`),
      startTime: new Date().toISOString(),
    };
    this.#operations.push({ ...place, cluster, json });
    return json;
  }

  end(operation: OperationJson, error?: { code: number; message: string }): void {
    operation.status = 'DONE';
    operation.endTime = new Date().toISOString();
    delete operation.progress;
    if (error === undefined) return;
    operation.error = error;
    operation.statusMessage = error.message;
  }

  running({ project, location }: Place, cluster: string): OperationJson | undefined {
    return this.list({ project, location }, cluster).find(({ status }) => status !== 'DONE');
  }

  /** The newest first; location `-` is every one. */
  list({ project, location }: Place, cluster?: string): readonly OperationJson[] {
    return this.#operations
      .filter(
        (operation) =>
          operation.project === project &&
          (location === '-' || operation.location === location) &&
          (cluster === undefined || operation.cluster === cluster),
      )
      .map(({ json }) => json)
      .toReversed();
  }

  find({ project, location }: Place, name: string): OperationJson {
    const found = this.list({ project, location }).find((operation) => operation.name === name);
    if (found) return found;
    throw new GkeError(
      'NOT_FOUND',
      `Not found: projects/${googleProject.number}/${kindOf(location)}/${location}/operations/${name}.`,
    );
  }
}

/** As Google writes them: with the project's number, and `zones` for a zone. */
export function linkTo({ location }: Place, rest: string): string {
  return `https://container.googleapis.com/v1/projects/${googleProject.number}/${kindOf(location)}/${location}/${rest}`;
}

export function kindOf(location: string): 'zones' | 'locations' {
  return isZone(location) ? 'zones' : 'locations';
}
