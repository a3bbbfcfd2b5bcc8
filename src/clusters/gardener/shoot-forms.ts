import { type Clock, systemClock } from '../../domain/clock.ts';
import type { GardenerConfig } from '../../domain/gardener-config.ts';
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import { bindingKinds } from './binding-kinds.ts';
import { isDescribed } from './described-field.ts';
import { shootKind } from './shoot/shoot.ts';
import type { ShootForms } from './shoot/shoot-extender.ts';

/** A Garden changes its API when it is upgraded; a binding may be migrated at any time. */
const gardenFreshForMilliseconds = 600_000;
const bindingFreshForMilliseconds = 60_000;

export type FindShootForms = (
  config: Pick<GardenerConfig, 'targetSecret' | 'euAccess' | 'dnsConfig'>,
  signal: AbortSignal | undefined,
) => Promise<ShootForms>;

/**
 * Finds out how this Garden takes what has had another form before: it refuses a Shoot with a field that it does not
 * know, or, if it is older still, drops the field. Gardener replaced `cloudProfileName` by `cloudProfile` in
 * 1.92, together with NamespacedCloudProfiles, and `secretBindingName` by `credentialsBindingName` in 1.98, together with
 * CredentialsBindings. A binding of the old kind can be used in a new Garden, too, but not from Kubernetes 1.34 on; that
 * is for Gardener to refuse. Fields that came alone are looked up in the description of the API, which is large, and so
 * only for orders that need one. What may not be looked at is taken to be new. Throws when the Garden does not answer.
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
  let fields: { readonly known: KnownFields; readonly until: number } | undefined;
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

  async function lookAtFields(signal: AbortSignal | undefined): Promise<KnownFields> {
    if (fields && clock.now() < fields.until) return fields.known;
    const description = await unlessForbidden(client.describe(shootKind.apiVersion, signal ? { signal } : {}));
    const knows = (...path: readonly string[]) => isDescribed(description, 'Shoot', ['spec', ...path]) ?? true;
    const known = {
      accessRestrictions: knows('accessRestrictions'),
      credentialsRef: knows('dns', 'providers', 'credentialsRef'),
    };
    fields = { known, until: clock.now() + gardenFreshForMilliseconds };
    return known;
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

  return async ({ targetSecret, euAccess, dnsConfig }, signal) => {
    const isOld = await lookAtGarden(signal);
    const known = euAccess || dnsConfig ? await lookAtFields(signal) : allFields;
    return {
      cloudProfile: isOld.profiles ? 'name' : 'reference',
      binding: isOld.bindings ? 'SecretBinding' : await kindOf(targetSecret, signal),
      euAccess: known.accessRestrictions ? 'accessRestriction' : 'seedLabel',
      dnsCredentials: known.credentialsRef ? 'reference' : 'secretName',
    };
  };
}

interface KnownFields {
  readonly accessRestrictions: boolean;
  readonly credentialsRef: boolean;
}

const allFields: KnownFields = { accessRestrictions: true, credentialsRef: true };

const forbidden = Symbol('forbidden');

async function unlessForbidden<Answer>(answer: Promise<Answer>): Promise<Answer | typeof forbidden> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return forbidden;
    throw error;
  }
}
