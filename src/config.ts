import type { z } from 'zod';
import type { Config, DatabaseConfig, DirectorConfig, KymaSettings } from './config-shape.ts';
import { type Variable, type VariableName, variables } from './config-variables.ts';

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
  const { APP_DIRECTOR_CLIENT_CERTIFICATE_FILE: certificate, APP_DIRECTOR_CLIENT_KEY_FILE: key } = values;
  if ((certificate === undefined) !== (key === undefined)) {
    const [missing, given] =
      certificate === undefined
        ? (['APP_DIRECTOR_CLIENT_CERTIFICATE_FILE', 'APP_DIRECTOR_CLIENT_KEY_FILE'] as const)
        : (['APP_DIRECTOR_CLIENT_KEY_FILE', 'APP_DIRECTOR_CLIENT_CERTIFICATE_FILE'] as const);
    mistakes.push(mistake(missing, environment, `is missing; it is needed because ${given} is set`));
  }
  if (values.APP_KYMA_CATALOGUE_PATH !== undefined && values.APP_KYMA_CATALOGUE_URL !== undefined) {
    mistakes.push(mistake('APP_KYMA_CATALOGUE_URL', environment, 'is one too many: APP_KYMA_CATALOGUE_PATH is set'));
  }
  if (values.APP_KYMA_CATALOGUE_SHA256 !== undefined && values.APP_KYMA_CATALOGUE_URL === undefined) {
    const why = 'is only for APP_KYMA_CATALOGUE_URL, which is not set';
    mistakes.push(mistake('APP_KYMA_CATALOGUE_SHA256', environment, why));
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
      enabled: values.APP_GARDENER_ENABLED,
      project: values.APP_GARDENER_PROJECT,
      namespace: values.APP_GARDENER_NAMESPACE ?? `garden-${values.APP_GARDENER_PROJECT}`,
      kubeconfigPath: values.APP_GARDENER_KUBECONFIG_PATH,
      requests: {
        perSecond: values.APP_GARDENER_REQUESTS_PER_SECOND,
        burst: values.APP_GARDENER_REQUEST_BURST,
      },
      autoUpdate: {
        kubernetesVersion: values.APP_GARDENER_DEFAULT_ENABLE_KUBERNETES_VERSION_AUTO_UPDATE,
        machineImageVersion: values.APP_GARDENER_DEFAULT_ENABLE_MACHINE_IMAGE_VERSION_AUTO_UPDATE,
      },
      policy: {
        maintenanceWindowsPath: values.APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH,
        auditPolicyConfigMap: values.APP_GARDENER_AUDIT_LOGS_POLICY_CONFIG_MAP,
        auditLogTenant: values.APP_GARDENER_AUDIT_LOGS_TENANT,
        auditLogTenantsPath: values.APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH,
        tolerationsPath: values.APP_GARDENER_TOLERATIONS_CONFIG_PATH,
        instanceMetadataV2: values.APP_GARDENER_DEFAULTENABLEIMDSV2,
      },
    },
    gke: { endpoint: values.APP_GKE_ENDPOINT, credentialsNamespace: values.APP_CREDENTIALS_NAMESPACE },
    serviceBrokerPrefix: values.APP_GARDENER_CLUSTER_CLEANUP_RESOURCE_SELECTOR,
    kyma: arrangeKyma(values),
    director: values.APP_RUNTIME_REGISTRATION_ENABLED ? arrangeDirector(values) : undefined,
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
      upgradeTriggering: values.APP_PROVISIONING_TIMEOUT_UPGRADE_TRIGGERING,
      upgrade: values.APP_PROVISIONING_TIMEOUT_UPGRADE,
      shootRefresh: values.APP_PROVISIONING_TIMEOUT_SHOOT_REFRESH,
      shootUpgrade: values.APP_PROVISIONING_TIMEOUT_SHOOT_UPGRADE,
      hibernation: values.APP_HIBERNATION_TIMEOUT_WAITING_FOR_CLUSTER_HIBERNATION,
      wakeUp: values.APP_HIBERNATION_TIMEOUT_WAITING_FOR_CLUSTER_WAKE_UP,
    },
    orphanSearchMilliseconds: values.APP_ORPHAN_SEARCH_INTERVAL,
    ambient: {
      kubeconfig: environment.KUBECONFIG || undefined,
      homeDirectory: environment.HOME ?? '/',
      serviceHost: environment.KUBERNETES_SERVICE_HOST || undefined,
      servicePort: environment.KUBERNETES_SERVICE_PORT || undefined,
    },
    enqueueInProgressOperations: values.APP_ENQUEUE_IN_PROGRESS_OPERATIONS,
    shutdownDelayMilliseconds: values.APP_SHUTDOWN_DELAY,
    crashPlace: values.APP_CRASH_POINT,
    unknownVariables: Object.keys(environment).filter(
      (name) => name.startsWith('APP_') && !Object.hasOwn(variables, name),
    ),
  };
}

function arrangeKyma(values: Values): KymaSettings {
  return {
    cataloguePath: values.APP_KYMA_CATALOGUE_PATH,
    catalogueUrl: values.APP_KYMA_CATALOGUE_URL,
    catalogueSha256: values.APP_KYMA_CATALOGUE_SHA256,
    refreshMilliseconds: values.APP_KYMA_REFRESH_INTERVAL,
    mirror: values.APP_KYMA_ARTIFACTS_MIRROR,
    prefetch: values.APP_KYMA_ARTIFACTS_PREFETCH,
    privateAddresses: values.APP_KYMA_PRIVATE_ADDRESSES_ALLOWED ? 'allowed' : 'refused',
    dependencies: values.APP_KYMA_MISSING_DEPENDENCIES,
    warnings: values.APP_KYMA_MODULE_WARNINGS,
  };
}

function arrangeDirector(values: Values): DirectorConfig {
  const { APP_DIRECTOR_CLIENT_CERTIFICATE_FILE: certificateFile, APP_DIRECTOR_CLIENT_KEY_FILE: keyFile } = values;
  const clientCertificate = certificateFile && keyFile ? { certificateFile, keyFile } : undefined;
  const { APP_CREDENTIALS_NAMESPACE: namespace, APP_OAUTH_CREDENTIALS_SECRET_NAME: secretName } = values;
  const ours = values.APP_RUNTIME_DEREGISTRATION_ENABLED;
  return {
    url: values.APP_DIRECTOR_URL,
    tls: {
      skipCertificateVerification: values.APP_SKIP_DIRECTOR_CERT_VERIFICATION,
      authorityFile: values.APP_DIRECTOR_CA_FILE,
      clientCertificate,
    },
    credentials: clientCertificate ? undefined : { namespace, secretName },
    unregisters: { ours, callers: ours && values.APP_CALLERS_RUNTIME_DEREGISTRATION_ENABLED },
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
