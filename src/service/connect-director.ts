import type { RegistrationRequest, RuntimeRegistrar } from '../api/dependencies.ts';
import type { DirectorConfig } from '../config-shape.ts';
import type { Database } from '../db/database.ts';
import {
  abandonedRegistrationIntents,
  recordRegistrationIntent,
  settleRegistrationIntent,
} from '../db/queries/registration-intents.ts';
import type { Director, RuntimeRegistration } from '../director/director.ts';
import { directorClient } from '../director/director-client.ts';
import { directorOff } from '../director/director-off.ts';
import { checkDirectorTls } from '../director/director-tls.ts';
import type { OAuthCredentials } from '../director/oauth-tokens.ts';
import { ownedEntries } from '../director/owned-entries.ts';
import {
  type RegistrationIntents,
  registerRuntime,
  verifyRegistration,
  withdrawRegistration,
} from '../director/registration.ts';
import { sweepAbandonedRegistrations } from '../director/sweep-abandoned-registrations.ts';
import type { CrashPoint } from '../domain/crash-point.ts';
import type { Logger } from '../domain/logger.ts';
import type { OwnedObjects } from '../domain/owned-objects.ts';
import type { Runtime } from '../domain/runtime.ts';
import { Secret } from '../domain/secret.ts';
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';
import { readSecret } from '../kubernetes/read-secret.ts';
import { repeat } from './repeat.ts';

const sweepEveryMilliseconds = 60_000;

export interface DirectorConnection {
  readonly director: Director;
  /** Undefined when Runtimes are not registered. */
  readonly registrar: RuntimeRegistrar | undefined;
  readonly unregisters: Readonly<Record<Runtime['registration'], boolean>>;
  /** What this installation has registered; undefined when nothing is searched for there. */
  readonly owned: OwnedObjects | undefined;
}

/**
 * The Director as stages and the API use it, and the sweeper that removes what interrupted registrations left there.
 * Throws when certificates are configured that cannot be used.
 */
export async function connectDirector({
  config,
  database,
  management,
  resources,
  installation,
  crashPoint,
  log,
}: {
  config: DirectorConfig | undefined;
  database: Database;
  /** The cluster that holds the credentials; asked for only when they are read. */
  management: () => Promise<KubernetesClient>;
  resources: AsyncDisposableStack;
  /** The mark of this installation. */
  installation: string;
  /** Told of the places around a registration, for tests to crash at. */
  crashPoint: CrashPoint;
  log: Logger;
}): Promise<DirectorConnection> {
  if (config === undefined) {
    const unregisters = { ours: true, callers: false, none: false };
    return { director: directorOff, registrar: undefined, unregisters, owned: undefined };
  }
  const { url, tls, credentials, unregisters } = config;
  await checkDirectorTls(tls);
  if (tls.skipCertificateVerification) log.warn({ url }, "the Director's certificate is not verified");
  const director = directorClient({
    ...{ url, tls, log },
    readCredentials: credentials && (() => readCredentials(management, credentials)),
  });
  resources.defer(() => director.close());

  const intents: RegistrationIntents = {
    record: async (intent) => {
      await recordRegistrationIntent({ database, intent });
      crashPoint('after-registration-intent');
    },
    settle: (intentId) => settleRegistrationIntent({ database, intentId }),
    abandoned: (olderThanMillis) => abandonedRegistrationIntents({ database, olderThanMillis }),
  };
  const sweeper = repeat({
    everyMilliseconds: sweepEveryMilliseconds,
    work: (signal) => sweepAbandonedRegistrations({ director, intents, log, signal }),
    onError: (error) => log.warn({ err: error }, 'cannot sweep abandoned registrations'),
  });
  resources.defer(() => sweeper.stop());

  const registrar: RuntimeRegistrar = {
    register: async ({ tenant, ...request }) => {
      const registration = registrationOf(request);
      const registered = await registerRuntime({ director, intents, tenant, registration, installation, log });
      crashPoint('after-registration');
      return registered;
    },
    preview: (request) => ({ ...registrationOf(request) }),
    verify: ({ id, tenant, signal }) => verifyRegistration({ director, id, tenant, signal }),
    withdraw: (registered, { tenant, signal }) =>
      withdrawRegistration({ director, intents, registered, tenant, signal }),
  };
  // Where entries are left behind on purpose, those that are left by mistake cannot be told from them.
  const owned = unregisters.ours ? ownedEntries({ director, installation }) : undefined;
  return { director, registrar, unregisters: { ...unregisters, none: false }, owned };
}

function registrationOf({
  subAccount,
  runtimeInput,
}: Pick<RegistrationRequest, 'subAccount' | 'runtimeInput'>): RuntimeRegistration {
  const { name, description, labels } = runtimeInput;
  // Tells the Director whose the Runtime is; callers may say it themselves.
  const ofSubAccount = subAccount === undefined ? {} : { global_subaccount_id: subAccount };
  return { name, description, labels: { ...ofSubAccount, ...labels } };
}

async function readCredentials(
  management: () => Promise<KubernetesClient>,
  { namespace, secretName }: NonNullable<DirectorConfig['credentials']>,
): Promise<OAuthCredentials> {
  const data = await readSecret({ client: await management(), namespace, name: secretName });
  const entry = (key: string): Secret => {
    const value = data.get(key);
    if (value === undefined) throw new Error(`Secret ${namespace}/${secretName} has no key ${key}`);
    return new Secret(value.reveal().trim());
  };
  return {
    clientId: entry('client_id').reveal(),
    clientSecret: entry('client_secret'),
    tokensEndpoint: entry('tokens_endpoint').reveal(),
  };
}
