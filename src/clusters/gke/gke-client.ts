import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { GkeError, gkeErrorFrom, isNotFound } from './gke-error.ts';
import {
  type GkeClusterState,
  type GkeOperationState,
  gkeCluster,
  gkeClusters,
  gkeOperation,
  gkeOperations,
  gkeServerConfig,
} from './gke-resources.ts';
import { exchange, type GoogleRequest } from './google/google-exchange.ts';
import type { GoogleToken, GoogleTokens } from './google/google-tokens.ts';

/** Where something is, and whose credentials reach it. */
export interface GkePlace {
  readonly secretName: string;
  readonly project: string;
  /** A zone or a region; `-` stands for every one, where something is listed. */
  readonly location: string;
}

type Signal = AbortSignal | undefined;

/**
 * The calls of Google Kubernetes Engine's REST API that are needed. What it answers instead is thrown as GkeError; without
 * an answer, another error is. None is repeated but after a refused token.
 */
export interface GkeClient {
  /** Undefined when Google says that there is none. */
  cluster(place: GkePlace, name: string, signal: Signal): Promise<GkeClusterState | undefined>;
  /** `complete`: whether every location has answered. */
  clusters(place: GkePlace, signal: Signal): Promise<{ clusters: readonly GkeClusterState[]; complete: boolean }>;
  operations(place: GkePlace, signal: Signal): Promise<readonly GkeOperationState[]>;
  /** Versions of the control plane that are offered, newest first. */
  masterVersions(place: GkePlace, signal: Signal): Promise<readonly string[]>;
  createCluster(place: GkePlace, request: object, signal: Signal): Promise<GkeOperationState>;
  /** One change at a time, such as `{ desiredMasterVersion }`. */
  updateCluster(place: GkePlace, name: string, update: object, signal: Signal): Promise<GkeOperationState>;
  setNodePoolSize(
    place: GkePlace,
    pool: { cluster: string; name: string; nodeCount: number },
    signal: Signal,
  ): Promise<GkeOperationState>;
  deleteCluster(place: GkePlace, name: string, signal: Signal): Promise<GkeOperationState>;
}

interface Call<Schema extends z.ZodType> {
  readonly method: GoogleRequest['method'];
  readonly place: GkePlace;
  /** Below the location. */
  readonly path: string;
  readonly body?: object;
  readonly answers: Schema;
  readonly signal: Signal;
}

export function gkeClient({
  endpoint,
  tokens,
  dispatcher,
}: {
  /** Without a path: `https://container.googleapis.com`. */
  readonly endpoint: string;
  readonly tokens: GoogleTokens;
  readonly dispatcher: Dispatcher;
}): GkeClient {
  async function call<Schema extends z.ZodType>(request: Call<Schema>): Promise<z.output<Schema>> {
    const { place, answers, signal } = request;
    const token = await tokens.token(place.secretName, signal);
    const answer = await send(request, token).catch(async (error: unknown) => {
      if (!(error instanceof GkeError) || error.httpStatus !== 401) throw error;
      // The token may have been revoked; a fresh one tells whether the key is good.
      tokens.forget(place.secretName, token);
      return send(request, await tokens.token(place.secretName, signal));
    });
    const read = answers.safeParse(answer);
    if (read.success) return read.data;
    throw new Error(`Google Kubernetes Engine gave an answer to ${request.method} ${request.path} that cannot be read`);
  }

  async function send(
    { method, place, path, body, signal }: Call<z.ZodType>,
    { token }: GoogleToken,
  ): Promise<unknown> {
    const { project, location } = place;
    const base = `${endpoint}/v1/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
    const answer = await exchange({
      ...{ method, url: `${base}${path}`, dispatcher, signal },
      headers: {
        authorization: `Bearer ${token.reveal()}`,
        accept: 'application/json',
        'user-agent': 'runtime-provisioner',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    if (answer.status >= 200 && answer.status < 300 && answer.body !== undefined) return answer.body;
    throw gkeErrorFrom(answer);
  }

  const clusterPath = (name: string) => `/clusters/${encodeURIComponent(name)}`;
  return {
    cluster: (place, name, signal) =>
      call({ method: 'GET', place, path: clusterPath(name), answers: gkeCluster, signal }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }),
    async clusters(place, signal) {
      const { clusters = [], missingZones = [] } = await call({
        ...{ method: 'GET', place, path: '/clusters', answers: gkeClusters, signal },
      });
      return { clusters, complete: missingZones.length === 0 };
    },
    async operations(place, signal) {
      const { operations = [] } = await call({
        method: 'GET',
        place,
        path: '/operations',
        answers: gkeOperations,
        signal,
      });
      return operations;
    },
    async masterVersions(place, signal) {
      const config = await call({ method: 'GET', place, path: '/serverConfig', answers: gkeServerConfig, signal });
      return config.validMasterVersions ?? [];
    },
    createCluster: (place, body, signal) =>
      call({ method: 'POST', place, path: '/clusters', body, answers: gkeOperation, signal }),
    updateCluster: (place, name, update, signal) =>
      call({ method: 'PUT', place, path: clusterPath(name), body: { update }, answers: gkeOperation, signal }),
    setNodePoolSize: (place, { cluster, name, nodeCount }, signal) =>
      call({
        ...{ method: 'POST', place, answers: gkeOperation, signal },
        path: `${clusterPath(cluster)}/nodePools/${encodeURIComponent(name)}:setSize`,
        body: { nodeCount },
      }),
    deleteCluster: (place, name, signal) =>
      call({ method: 'DELETE', place, path: clusterPath(name), answers: gkeOperation, signal }),
  };
}
