import { type Clock, systemClock } from '../../domain/clock.ts';
import type { KubernetesClient, ResourceKind } from '../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import type { ShootForms } from './shoot/shoot-extender.ts';

const bindingKinds = {
  CredentialsBinding: {
    apiVersion: 'security.gardener.cloud/v1alpha1',
    plural: 'credentialsbindings',
    namespaced: true,
  },
  SecretBinding: { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'secretbindings', namespaced: true },
} as const satisfies Readonly<Record<ShootForms['binding'], ResourceKind>>;

/** A Garden changes its API when it is upgraded; a binding may be migrated at any time. */
const gardenFreshForMilliseconds = 600_000;
const bindingFreshForMilliseconds = 60_000;

export type FindShootForms = (binding: string, signal: AbortSignal | undefined) => Promise<ShootForms>;

/**
 * Finds out how this Garden takes what a Shoot refers to. Gardener replaced `cloudProfileName` by `cloudProfile` in
 * 1.92, together with NamespacedCloudProfiles, and `secretBindingName` by `credentialsBindingName` in 1.98, together with
 * CredentialsBindings. A binding of the old kind can be used in a new Garden, too, but not from Kubernetes 1.34 on; that
 * is for Gardener to refuse. What may not be looked at is taken to be new. Throws when the Garden does not answer.
 */
export function shootForms({
  client,
  namespace,
  clock = systemClock,
}: {
  client: KubernetesClient;
  namespace: string;
  clock?: Clock;
}): FindShootForms {
  let garden: { readonly isOld: { readonly profiles: boolean; readonly bindings: boolean }; readonly until: number };
  const bindings = new Map<string, { readonly kind: ShootForms['binding']; readonly until: number }>();

  async function lookAtGarden(signal: AbortSignal | undefined) {
    if (garden && clock.now() < garden.until) return garden.isOld;
    const options = signal ? { signal } : {};
    const serves = async (apiVersion: string, kind: string) =>
      (await unlessForbidden(client.discover(apiVersion, kind, options))) !== undefined;
    const [profiles, bindings] = await Promise.all([
      serves('core.gardener.cloud/v1beta1', 'NamespacedCloudProfile'),
      serves(bindingKinds.CredentialsBinding.apiVersion, 'CredentialsBinding'),
    ]);
    const isOld = { profiles: !profiles, bindings: !bindings };
    garden = { isOld, until: clock.now() + gardenFreshForMilliseconds };
    return isOld;
  }

  async function exists(
    kind: ShootForms['binding'],
    name: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean | undefined> {
    const answer = client.get({ ...bindingKinds[kind], namespace, name }, signal ? { signal } : {});
    const found = await unlessForbidden(answer);
    return found === forbidden ? undefined : found !== undefined;
  }

  async function kindOf(name: string, signal: AbortSignal | undefined): Promise<ShootForms['binding']> {
    const known = bindings.get(name);
    if (known && clock.now() < known.until) return known.kind;
    const isNew = (await exists('CredentialsBinding', name, signal)) ?? true;
    const isOnlyOld = !isNew && (await exists('SecretBinding', name, signal)) === true;
    const kind = isOnlyOld ? 'SecretBinding' : 'CredentialsBinding';
    if (isNew || isOnlyOld) bindings.set(name, { kind, until: clock.now() + bindingFreshForMilliseconds });
    return kind;
  }

  return async (binding, signal) => {
    const isOld = await lookAtGarden(signal);
    return {
      cloudProfile: isOld.profiles ? 'name' : 'reference',
      binding: isOld.bindings ? 'SecretBinding' : await kindOf(binding, signal),
    };
  };
}

const forbidden = Symbol('forbidden');

async function unlessForbidden<Answer>(answer: Promise<Answer>): Promise<Answer | typeof forbidden> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return forbidden;
    throw error;
  }
}
