import type { z } from 'zod';
import type { RequestLimits } from './api/request-limits.ts';
import { type Address, type LogLevel, type Variable, type VariableName, variables } from './config-variables.ts';
import type { SslMode } from './db/connection-form.ts';
import type { CrashPlace } from './domain/crash-point.ts';
import type { Deadlines } from './domain/flow.ts';
import type { Secret } from './domain/secret.ts';
import type { AmbientSettings } from './kubernetes/ambient-connection.ts';

/** All that the service is told from outside. */
export interface Config {
  readonly address: Address;
  readonly metricsAddress: Address;
  readonly apiEndpoint: string;
  readonly playgroundApiEndpoint: string;
  readonly playground: boolean;
  readonly introspection: boolean;
  readonly requestLimits: RequestLimits;
  readonly logLevel: LogLevel;
  readonly database: DatabaseConfig;
  readonly gardener: { readonly project: string; readonly namespace: string; readonly kubeconfigPath: string };
  /** Undefined: there is no Kyma to install. */
  readonly kymaCataloguePath: string | undefined;
  /** Undefined: Runtimes are not registered. */
  readonly director: DirectorConfig | undefined;
  readonly deadlines: Deadlines;
  /** Where the cluster is found that holds our own Secrets; the customary variables, not ours. */
  readonly ambient: AmbientSettings;
  /** Whether operations go on that were in progress at the start. */
  readonly enqueueInProgressOperations: boolean;
  /** Where a test wants this process to die. */
  readonly crashPlace: CrashPlace | undefined;
  /** Variables that begin with `APP_` and that nothing reads: a slip, or a setting of another version. */
  readonly unknownVariables: readonly string[];
}

export type DatabaseConfig =
  | { readonly kind: 'embedded'; readonly path: string; readonly secretKey: Secret<Buffer> | undefined }
  | {
      readonly kind: 'server';
      readonly host: string;
      readonly port: number;
      readonly name: string;
      readonly user: string;
      readonly password: Secret;
      readonly sslMode: SslMode;
      readonly sslRootCert: string | undefined;
      readonly secretKey: Secret<Buffer>;
    };

export interface DirectorConfig {
  readonly url: string;
  readonly skipCertificateVerification: boolean;
  readonly credentials: { readonly namespace: string; readonly secretName: string };
}

/** Every mistake in the environment, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Values = {
  readonly [Name in VariableName]:
    | z.output<(typeof variables)[Name]['schema']>
    | ((typeof variables)[Name]['default'] extends string ? never : undefined);
};

/** Reads the environment; an empty variable counts as not set. Throws ConfigError with all mistakes at once. */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = [];
  const values = readVariables(environment, mistakes);
  const embedded = environment.APP_DATABASE_HOST === undefined;
  if (values.APP_API_ENDPOINT && ['/', '/healthz', '/readyz'].includes(values.APP_API_ENDPOINT)) {
    mistakes.push(mistake('APP_API_ENDPOINT', environment, 'is taken by a page of this service'));
  }
  if (!embedded && !environment.APP_DATABASE_SECRET_KEY?.trim()) {
    const why =
      'is missing; it is needed because APP_DATABASE_HOST is set (leave that unset for an embedded PostgreSQL)';
    mistakes.push(mistake('APP_DATABASE_SECRET_KEY', environment, why));
  }
  const { APP_DATABASE_SSL_MODE: sslMode, APP_DATABASE_SSL_ROOT_CERT: sslRootCert } = values;
  if (!embedded && sslMode?.startsWith('verify-') && sslRootCert === undefined) {
    const why = `is missing; it is needed because APP_DATABASE_SSL_MODE is ${sslMode}`;
    mistakes.push(mistake('APP_DATABASE_SSL_ROOT_CERT', environment, why));
  }
  if (!embedded && sslRootCert === 'system' && sslMode && sslMode !== 'verify-full') {
    mistakes.push(
      mistake('APP_DATABASE_SSL_ROOT_CERT', environment, `is too weak with APP_DATABASE_SSL_MODE ${sslMode}`),
    );
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return arrange(values as Values, environment);
}

/** What has a mistake is left out. */
function readVariables(environment: Environment, mistakes: string[]): Partial<Values> {
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables) as [VariableName, Variable<unknown>][]) {
    const text = environment[name]?.trim() || variable.default;
    if (text === undefined) continue;
    const read = variable.schema.safeParse(text);
    if (read.success) values[name] = read.data;
    else mistakes.push(mistake(name, environment, read.error.issues[0]?.message ?? 'is wrong'));
  }
  return values;
}

function mistake(name: VariableName, environment: Environment, why: string): string {
  const variable: Variable<unknown> = variables[name];
  const given = environment[name]?.trim();
  const shown = given && !variable.secret ? `${JSON.stringify(given)} ` : '';
  return `${name}: ${shown}${why}; allowed: ${variable.allowed}`;
}

function arrange(values: Values, environment: Environment): Config {
  return {
    address: values.APP_ADDRESS,
    metricsAddress: values.APP_METRICS_ADDRESS,
    apiEndpoint: values.APP_API_ENDPOINT,
    playgroundApiEndpoint: values.APP_PLAYGROUND_API_ENDPOINT,
    playground: values.APP_API_PLAYGROUND_ENABLED,
    introspection: values.APP_API_INTROSPECTION_ENABLED,
    requestLimits: {
      depth: values.APP_API_MAX_DEPTH,
      rootFields: values.APP_API_MAX_ROOT_FIELDS,
      aliases: values.APP_API_MAX_ALIASES,
      selections: values.APP_API_MAX_SELECTIONS,
      tokens: values.APP_API_MAX_TOKENS,
      cost: values.APP_API_MAX_COST,
      bodyBytes: values.APP_API_MAX_BODY_BYTES,
      pageSize: values.APP_API_MAX_PAGE_SIZE,
      timeoutMillis: values.APP_API_REQUEST_TIMEOUT,
    },
    logLevel: values.APP_LOG_LEVEL,
    database: arrangeDatabase(values, environment),
    gardener: {
      project: values.APP_GARDENER_PROJECT,
      namespace: values.APP_GARDENER_NAMESPACE ?? `garden-${values.APP_GARDENER_PROJECT}`,
      kubeconfigPath: values.APP_GARDENER_KUBECONFIG_PATH,
    },
    kymaCataloguePath: values.APP_KYMA_CATALOGUE_PATH,
    director: values.APP_RUNTIME_REGISTRATION_ENABLED
      ? {
          url: values.APP_DIRECTOR_URL,
          skipCertificateVerification: values.APP_SKIP_DIRECTOR_CERT_VERIFICATION,
          credentials: {
            namespace: values.APP_CREDENTIALS_NAMESPACE,
            secretName: values.APP_OAUTH_CREDENTIALS_SECRET_NAME,
          },
        }
      : undefined,
    deadlines: {
      clusterCreation: values.APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION,
      clusterDomain: values.APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS,
      bindingsCreation: values.APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION,
      installationTriggering: values.APP_PROVISIONING_TIMEOUT_INSTALLATION_TRIGGERING,
      installation: values.APP_PROVISIONING_TIMEOUT_INSTALLATION,
      agentConfiguration: values.APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION,
      agentConnection: values.APP_PROVISIONING_TIMEOUT_AGENT_CONNECTION,
      clusterCleanup: values.APP_DEPROVISIONING_TIMEOUT_CLUSTER_CLEANUP,
      clusterDeletion: values.APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION,
      waitingForClusterDeletion: values.APP_DEPROVISIONING_TIMEOUT_WAITING_FOR_CLUSTER_DELETION,
      unregistration: values.APP_DEPROVISIONING_TIMEOUT_UNREGISTRATION,
    },
    ambient: {
      kubeconfig: environment.KUBECONFIG || undefined,
      homeDirectory: environment.HOME ?? '/',
      serviceHost: environment.KUBERNETES_SERVICE_HOST || undefined,
      servicePort: environment.KUBERNETES_SERVICE_PORT || undefined,
    },
    enqueueInProgressOperations: values.APP_ENQUEUE_IN_PROGRESS_OPERATIONS,
    crashPlace: values.APP_CRASH_POINT,
    unknownVariables: Object.keys(environment).filter(
      (name) => name.startsWith('APP_') && !Object.hasOwn(variables, name),
    ),
  };
}

function arrangeDatabase(values: Values, environment: Environment): DatabaseConfig {
  const secretKey = values.APP_DATABASE_SECRET_KEY;
  if (environment.APP_DATABASE_HOST === undefined || !secretKey) {
    return { kind: 'embedded', path: values.APP_DATABASE_EMBEDDED_PATH, secretKey };
  }
  return {
    kind: 'server',
    host: values.APP_DATABASE_HOST,
    port: values.APP_DATABASE_PORT,
    name: values.APP_DATABASE_NAME,
    user: values.APP_DATABASE_USER,
    password: values.APP_DATABASE_PASSWORD,
    sslMode: values.APP_DATABASE_SSL_MODE,
    sslRootCert: values.APP_DATABASE_SSL_ROOT_CERT,
    secretKey,
  };
}

/** The page docs/configuration.md. */
export function printConfiguration(): string {
  const rows = Object.entries(variables as Readonly<Record<string, Variable<unknown>>>).map(([name, variable]) => {
    const plain = variable.default === undefined ? 'none' : `\`${variable.default}\``;
    return `| \`${name}\` | ${variable.meaning} | ${variable.defaultReads ?? plain} | ${variable.allowed} |`;
  });
  return `# Configuration

Printed from \`src/config-variables.ts\` by \`npm run generate\`.

The service is configured by variables of its environment. An empty variable counts as not set. Durations are written as
Go writes them (\`60m\`, \`1h30m\`, \`15s\`), booleans as \`true\` or \`false\`. A wrong value stops the start, with one line
per mistake. A variable that begins with \`APP_\` and is not listed here is named in a warning and otherwise ignored.

| Variable | Meaning | Default | Allowed |
|-|-|-|-|
${rows.join('\n')}
`;
}
