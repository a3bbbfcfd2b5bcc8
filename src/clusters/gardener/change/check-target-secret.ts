import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../../../domain/failures.ts';
import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import { readText } from '../../../domain/json.ts';
import type { KubernetesClient, KubernetesObject } from '../../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../../kubernetes/kubernetes-error.ts';
import { bindingKinds } from '../binding-kinds.ts';
import type { Mistake } from '../checks/mistake.ts';
import { unchangeable } from './field-rule.ts';

interface Request {
  readonly client: KubernetesClient;
  readonly namespace: string;
  readonly before: GardenerConfig;
  readonly after: GardenerConfig;
  readonly signal: AbortSignal | undefined;
  readonly mustAnswer: boolean;
}

/** A cluster may move to another binding, but not to other credentials: its resources belong to an account. */
export async function checkTargetSecret(request: Request): Promise<readonly Mistake[]> {
  const { before, after, mustAnswer } = request;
  const [from, to] = [before.targetSecret, after.targetSecret];
  if (from === to) return [];
  try {
    const [old, wanted] = await Promise.all([findBinding(request, from), findBinding(request, to)]);
    if (!wanted || wanted.kind === 'SecretBinding') {
      const namespace = request.namespace;
      return [
        { path: 'targetSecret', message: `there is no CredentialsBinding "${to}" in the namespace ${namespace}` },
      ];
    }
    if (isDeepStrictEqual(old?.credentials, wanted.credentials)) return [];
    return [unchangeable('targetSecret', from, to, 'only a binding of the same credentials can take its place')];
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) {
      return [unchangeable('targetSecret', from, to, `it cannot be seen whose credentials they are: ${error.message}`)];
    }
    const message = 'Gardener does not answer now, so the bindings cannot be compared; try again later';
    if (mustAnswer) throw new Failure('CLUSTER_PROVIDER_UNAVAILABLE', message, { cause: error });
    return [{ path: 'targetSecret', message }];
  }
}

interface Binding {
  readonly kind: 'CredentialsBinding' | 'SecretBinding';
  readonly credentials: readonly (string | undefined)[];
}

async function findBinding({ client, namespace, signal }: Request, name: string): Promise<Binding | undefined> {
  const options = signal ? { signal } : {};
  const found = await client.get({ ...bindingKinds.CredentialsBinding, namespace, name }, options);
  if (found) return { kind: 'CredentialsBinding', credentials: credentialsIn(found, 'credentialsRef') };
  const old = await client.get({ ...bindingKinds.SecretBinding, namespace, name }, options);
  return old && { kind: 'SecretBinding', credentials: credentialsIn(old, 'secretRef') };
}

function credentialsIn(binding: KubernetesObject, reference: string): Binding['credentials'] {
  const kind = readText(binding, reference, 'kind') ?? 'Secret';
  return [kind, ...['namespace', 'name'].map((field) => readText(binding, reference, field))];
}
