import type { Failure, Problem } from '../../domain/failures.ts';
import type { Logger } from '../../domain/logger.ts';
import { inputPath, secretPath } from './check-gcp-config.ts';
import type { GkeClient } from './gke-client.ts';
import { gkeFailure } from './gke-failure.ts';
import { type GkeOrder, placeOf } from './gke-order.ts';
import type { GoogleTokens } from './google/google-tokens.ts';
import type { OwnClusters } from './own-clusters.ts';
import { refusalOf } from './refusal.ts';
import { isOf, tellVersions } from './versions.ts';

const noAnswer = 'Google does not answer now, so it cannot be found out what it says to this cluster; try again later';

/** What Google says without anything being made: whether the key is good, the version is offered, the name is free. */
export async function askGoogle(
  order: GkeOrder,
  { client, tokens, clusters }: { client: GkeClient; tokens: GoogleTokens; clusters: OwnClusters },
  signal: AbortSignal | undefined,
): Promise<readonly Problem[]> {
  const place = placeOf(order);
  // A caller who has just corrected the Secret is judged by it.
  tokens.forget(place.secretName);
  await tokens.token(place.secretName, signal);
  const [present, offered] = await Promise.all([
    client.cluster(place, order.cluster.name, signal),
    client.masterVersions(place, signal),
  ]);
  if (present && !clusters.isOurs(order, present)) {
    return [problemOf(nameTaken(order), `${inputPath}.name`)];
  }
  const { kubernetesVersion } = order.cluster.config;
  if (kubernetesVersion === undefined || offered.length === 0) return [];
  if (offered.some((version) => isOf(version, kubernetesVersion))) return [];
  const message = `"${kubernetesVersion}" is not offered in ${place.location}; offered are ${tellVersions(offered)}`;
  return [{ path: `${inputPath}.kubernetesVersion`, message }];
}

/** The refusal of a whole order, at the field that it is about. */
export function asProblem(refusal: Failure, order: GkeOrder): Problem {
  const { code, message } = refusal;
  const ofSecret = code === 'CREDENTIALS_INVALID' || code === 'CREDENTIALS_REFUSED' || code === 'KUBECONFIG_REFUSED';
  const place = message.includes(placeOf(order).location) ? `${inputPath}.region` : inputPath;
  return problemOf(refusal, ofSecret ? secretPath : place);
}

export function problemOf({ message, code, reason, component }: Failure, path: string): Problem {
  return { path, message, code, reason, component };
}

/** The answer, or what is to be said when Google (or the cluster with the Secrets) does not answer. */
export async function answered<Answer>(
  ask: () => Promise<Answer>,
  {
    mustAnswer,
    otherwise,
    log,
  }: {
    mustAnswer: boolean;
    otherwise: (refusal: Failure | undefined) => Answer;
    log: Logger;
  },
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return otherwise(refusal);
    if (mustAnswer) throw gkeFailure({ code: 'CLUSTER_PROVIDER_UNAVAILABLE', message: noAnswer, cause: error });
    log.warn({ err: error }, 'Google was not asked about a cluster, because it does not answer');
    return otherwise(undefined);
  }
}

export function nameTaken(order: GkeOrder): Failure {
  const { project, location } = placeOf(order);
  const message = `name "${order.cluster.name}" is taken in ${location} of the Google Cloud project "${project}" by a cluster that this Runtime does not own`;
  return gkeFailure({ code: 'CLUSTER_NAME_TAKEN', message });
}
