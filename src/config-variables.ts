import { isIP } from 'node:net';
import { z } from 'zod';
import { defaultRequestLimits as limits } from './api/request-limits.ts';
import { sslModes } from './db/connection-form.ts';
import { parseEncryptionKey } from './db/encryption.ts';
import { crashPlaces, parseCrashPlace } from './domain/crash-point.ts';
import { parseDuration } from './domain/duration.ts';
import { Secret } from './domain/secret.ts';

/** One variable of the environment, told once: for the reader, for its mistakes and for docs/configuration.md. */
export interface Variable<Value> {
  readonly meaning: string;
  /** What applies when the variable is not set or empty; undefined: then the value is undefined. */
  readonly default: string | undefined;
  /** Explains a default that is not a plain value. */
  readonly defaultReads?: string;
  /** What may be written, as it follows "allowed:". */
  readonly allowed: string;
  /** True when the value must not be shown, in a mistake or anywhere. */
  readonly secret?: boolean;
  readonly schema: z.ZodType<Value, string>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

const name = (what: string) => ({ allowed: what, schema: z.string() });
const path = { allowed: 'a path, absolute or from the working directory', schema: z.string() };
const boolean = {
  allowed: 'true or false',
  schema: z.string().transform((text, context) => {
    // Go's spellings.
    if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
    if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false;
    return wrong(context, 'is neither true nor false');
  }),
};
const address = {
  allowed: '<host>:<port>, such as 127.0.0.1:3000, [::1]:3000 or :3000 (every interface); port 0 takes a free one',
  schema: z.string().transform((text, context) => parseAddress(text) ?? wrong(context, 'is not <host>:<port>')),
};
const endpoint = {
  allowed: 'a path that begins with /',
  schema: z.string().regex(/^\/[\w./-]*$/, 'is not a path that begins with /'),
};
/** A whole number within bounds. */
const count = (lowest: number, highest: number) => ({
  allowed: `${lowest} to ${highest}`,
  schema: z.string().transform((text, context) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return number >= lowest && number <= highest ? number : wrong(context, 'is not such a number');
  }),
});
const duration = z.string().transform((text, context) => parseDuration(text) ?? wrong(context, 'is not a duration'));
const timeout = (what: string, fallback: string) => ({
  meaning: `Time limit: ${what}`,
  default: fallback,
  allowed: 'a duration of more than 0, such as 90s, 60m or 1h30m',
  schema: duration.refine((milliseconds) => milliseconds > 0, 'is not more than 0'),
});

/** Spellings of the original's logger, and those of ours that they mean. */
const logLevels = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  fatal: 'fatal',
  panic: 'fatal',
} as const;
export type LogLevel = (typeof logLevels)[keyof typeof logLevels];

// biome-ignore format: a table
export const variables = {
  APP_ADDRESS: { meaning: 'Where the API listens', default: '127.0.0.1:3000', ...address },
  APP_API_ENDPOINT: { meaning: 'Path of the GraphQL endpoint', default: '/graphql', ...endpoint },
  APP_PLAYGROUND_API_ENDPOINT: {
    meaning: 'Endpoint that the playground (the page at `/`) talks to, as the browser sees it', default: '/graphql',
    allowed: 'a path that begins with /, or an http(s) URL',
    schema: z.string().refine((text) => text.startsWith('/') || isHttpUrl(text), 'is neither a path nor an http(s) URL'),
  },
  APP_API_PLAYGROUND_ENABLED: { meaning: 'Whether there is a playground at `/`', default: 'true', ...boolean },
  APP_API_INTROSPECTION_ENABLED: { meaning: 'Whether clients may ask for the schema; without it, the playground knows no fields', default: 'true', ...boolean },
  APP_API_MAX_DEPTH: { meaning: 'Limit of a request: levels of selections, and of lists and objects in arguments and variables', default: String(limits.depth), ...count(5, 100) },
  APP_API_MAX_ROOT_FIELDS: { meaning: 'Limit of a request: fields of Query or Mutation; each asks the database, or starts an operation', default: String(limits.rootFields), ...count(1, 1_000) },
  APP_API_MAX_ALIASES: { meaning: 'Limit of a request: aliases', default: String(limits.aliases), ...count(0, 10_000) },
  APP_API_MAX_SELECTIONS: { meaning: 'Limit of a request: fields and fragments that its document selects; the time to check a document grows with its square', default: String(limits.selections), ...count(100, 5_000) },
  APP_API_MAX_TOKENS: { meaning: 'Limit of a request: tokens (names, values, punctuation) of its document', default: String(limits.tokens), ...count(1_000, 100_000) },
  APP_API_MAX_COST: { meaning: 'Limit of a request: fields that its answer can have, as docs/performance.md counts them', default: String(limits.cost), ...count(20_000, 10_000_000) },
  APP_API_MAX_BODY_BYTES: { meaning: 'Limit of a request: bytes of its body, and of a message over WebSocket', default: String(limits.bodyBytes), ...count(1_024, 16 * 1024 * 1024) },
  APP_API_MAX_PAGE_SIZE: { meaning: 'Limit of a request: `first` of a list', default: String(limits.pageSize), ...count(100, 1_000) },
  APP_API_REQUEST_TIMEOUT: {
    meaning: 'Time limit: answering a request to the API; what a mutation has started goes on', default: `${limits.timeoutMillis / 1_000}s`,
    allowed: 'a duration of 1s to 10m', schema: duration.refine((milliseconds) => milliseconds >= 1_000 && milliseconds <= 600_000, 'is not within these bounds'),
  },
  APP_METRICS_ADDRESS: { meaning: 'Where `/metrics` listens', default: '127.0.0.1:9000', ...address },
  APP_LOG_LEVEL: {
    meaning: 'The least important messages that are logged', default: 'info',
    allowed: Object.keys(logLevels).join(', '),
    schema: z.string().transform((text, context): LogLevel =>
      isLogLevel(text.toLowerCase()) ?? wrong(context, 'is not a log level')),
  },

  APP_DATABASE_HOST: {
    meaning: 'Host of the PostgreSQL server', default: 'localhost',
    defaultReads: 'not set at all: an embedded PostgreSQL; set to nothing: `localhost`', ...name('a host name, an address, or the folder of a Unix socket'),
  },
  APP_DATABASE_PORT: { meaning: 'Its port', default: '5432', allowed: '1 to 65535', schema: z.string().transform((text, context) => parsePort(text, 1) ?? wrong(context, 'is not a port')) },
  APP_DATABASE_NAME: { meaning: 'Name of the database', default: 'provisioner', ...name('the name of a database that exists') },
  APP_DATABASE_USER: { meaning: 'User of the database', default: 'postgres', ...name('a role that may create tables') },
  APP_DATABASE_PASSWORD: { meaning: 'Its password', default: 'password', secret: true, allowed: 'any text', schema: z.string().transform((text) => new Secret(text)) },
  APP_DATABASE_SSL_MODE: { meaning: 'Whether the connection is encrypted and the server verified, as libpq means it', default: 'disable', allowed: sslModes.join(', '), schema: z.enum(sslModes, 'is not an sslmode') },
  APP_DATABASE_SSL_ROOT_CERT: { meaning: 'Root certificates for verifying the server; needed with `verify-ca` and `verify-full`', default: undefined, allowed: 'the path of a PEM file, or system (with verify-full)', schema: z.string() },
  APP_DATABASE_SECRET_KEY: {
    meaning: 'Key that encrypts confidential columns; needed with `APP_DATABASE_HOST`. Losing it loses what it encrypts', default: undefined, defaultReads: 'embedded PostgreSQL: made at the first start and kept beside the data', secret: true,
    allowed: '32 bytes, as base64 (openssl rand -base64 32) or as 32 characters',
    schema: z.string().transform((text, context) => {
      try {
        return parseEncryptionKey(text);
      } catch (error) {
        return wrong(context, `is wrong: ${(error as Error).message}`);
      }
    }),
  },
  APP_DATABASE_EMBEDDED_PATH: { meaning: 'Folder of the embedded PostgreSQL, used without `APP_DATABASE_HOST`', default: '.data/postgres', ...path },

  APP_GARDENER_ENABLED: { meaning: 'Whether there is a Gardener; `false`: clusters come straight from GKE only, and no other `APP_GARDENER_*` variable counts', default: 'true', ...boolean },
  APP_GARDENER_PROJECT: { meaning: 'Gardener project in which clusters are made', default: 'gardenerProject', ...name('the name of a project') },
  APP_GARDENER_NAMESPACE: { meaning: 'Namespace of that project', default: undefined, defaultReads: '`garden-<project>`', ...name('the name of a namespace') },
  APP_GARDENER_KUBECONFIG_PATH: { meaning: 'Kubeconfig of the Garden, read anew when it changes', default: './dev/kubeconfig.yaml', ...path },
  APP_GARDENER_REQUESTS_PER_SECOND: { meaning: 'Requests to the Garden that this process sends in the long run, each watch counted once', default: '100', ...count(1, 10_000) },
  APP_GARDENER_REQUEST_BURST: { meaning: 'Requests to the Garden that may go at once after a time of rest', default: '200', ...count(1, 10_000) },
  APP_GARDENER_DEFAULT_ENABLE_KUBERNETES_VERSION_AUTO_UPDATE: { meaning: 'Whether Gardener may raise the patch version of Kubernetes, for callers who do not say', default: 'false', ...boolean },
  APP_GARDENER_DEFAULT_ENABLE_MACHINE_IMAGE_VERSION_AUTO_UPDATE: { meaning: 'Whether Gardener may raise the version of the machine image, for callers who do not say', default: 'false', ...boolean },
  APP_GARDENER_DEFAULTENABLEIMDSV2: { meaning: 'Whether nodes on AWS answer version 2 of the instance metadata service only, for callers who do not say', default: 'false', ...boolean },
  APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: { meaning: 'JSON file with the maintenance windows of clusters for production, by region; see docs/shoot-policies.md', default: undefined, defaultReads: 'none: Gardener draws them', ...path },
  APP_GARDENER_AUDIT_LOGS_POLICY_CONFIG_MAP: { meaning: "ConfigMap in the project's namespace with the audit policy of clusters", default: undefined, defaultReads: "none: Gardener's own", ...name('the name of a ConfigMap') },
  APP_GARDENER_AUDIT_LOGS_TENANT: { meaning: 'Tenant for the audit logs of clusters that the next file does not know', default: undefined, defaultReads: 'none', ...name('any text') },
  APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH: { meaning: 'JSON file that says where the audit logs of clusters go, by provider and region; see docs/shoot-policies.md', default: undefined, defaultReads: 'none', ...path },
  APP_GARDENER_TOLERATIONS_CONFIG_PATH: { meaning: "JSON file with the keys of Seeds' taints that clusters tolerate, by region; see docs/shoot-policies.md", default: undefined, defaultReads: 'none but `ksa-assured-workload` in me-central2', ...path },
  APP_GARDENER_CLUSTER_CLEANUP_RESOURCE_SELECTOR: { meaning: 'Before any cluster is deleted, instances of services are removed from it whose broker has an address that begins so; counts without Gardener, too', default: 'https://service-manager.', ...name('the beginning of an address') },
  APP_GKE_ENDPOINT: {
    meaning: 'Where the REST API of Google Kubernetes Engine is; keys of service accounts may have their token endpoint there, too', default: 'https://container.googleapis.com',
    allowed: 'an https URL without a path', schema: z.string().refine(isHttpsOrigin, 'is not an https URL without a path').transform((text) => new URL(text).origin),
  },
  APP_KYMA_CATALOGUE_PATH: { meaning: 'Catalogue of the Kyma releases that can be installed', default: undefined, defaultReads: 'none: Runtimes without Kyma only', ...path },
  APP_KYMA_CATALOGUE_URL: { meaning: 'Address of that catalogue, instead of a file; see docs/catalogue.md', default: undefined, defaultReads: 'none', allowed: 'an https URL', schema: z.string().refine(isHttpsUrl, 'is not an https URL').transform((text) => new URL(text)) },
  APP_KYMA_CATALOGUE_SHA256: { meaning: 'The only contents that may be read from there', default: undefined, defaultReads: 'none: whatever the address answers', allowed: '64 hexadecimal digits', schema: z.string().regex(/^[0-9a-f]{64}$/, 'is not 64 hexadecimal digits') },
  APP_KYMA_REFRESH_INTERVAL: {
    meaning: 'How often the address of the catalogue is looked at, and files of its releases are fetched ahead of their use', default: '10m',
    allowed: 'a duration of 1s to 24h', schema: duration.refine((milliseconds) => milliseconds >= 1_000 && milliseconds <= 86_400_000, 'is not within these bounds'),
  },
  APP_KYMA_ARTIFACTS_MIRROR: { meaning: 'Where files of Kyma releases are fetched from instead of their own addresses; see docs/catalogue.md', default: undefined, defaultReads: 'none', allowed: 'an https URL, or a file URL of a folder', schema: z.string().refine((text) => isHttpsUrl(text) || isFileUrl(text), 'is neither an https URL nor a file URL').transform((text) => new URL(text)) },
  APP_KYMA_ARTIFACTS_PREFETCH: { meaning: 'Whether all files that the catalogue names are put into the database ahead of their use', default: 'false', ...boolean },
  APP_KYMA_PRIVATE_ADDRESSES_ALLOWED: { meaning: "Whether files of Kyma releases may come from hosts with private, loopback or link-local addresses; the catalogue's address and the mirror may have such anyway", default: 'false', ...boolean },
  APP_KYMA_MISSING_DEPENDENCIES: { meaning: 'What becomes of an order whose modules need others that it does not name', default: 'add', allowed: 'add, refuse', schema: z.enum(['add', 'refuse'], 'is neither') },
  APP_KYMA_MODULE_WARNINGS: { meaning: 'Whether an installation is complete when a module is deployed and its custom resource says `Warning`: a user has to do something. `accept` tells it in the message of the operation', default: 'accept', allowed: 'accept, wait', schema: z.enum(['accept', 'wait'], 'is neither') },

  APP_RUNTIME_REGISTRATION_ENABLED: { meaning: 'Whether Runtimes are registered in the Director; `false`: no Director is needed, and ids are our own', default: 'true', ...boolean },
  APP_DIRECTOR_URL: {
    meaning: 'GraphQL endpoint of the Director', default: 'https://compass-gateway-auth-oauth.kyma.local/director/graphql', allowed: 'an http(s) URL',
    schema: z.string().refine(isHttpUrl, 'is not an http(s) URL'),
  },
  APP_DIRECTOR_CA_FILE: { meaning: "Certificates of authorities for the Director's gateway, beside those that are trusted anyway; read again when it changes", default: undefined, defaultReads: 'none', ...path, allowed: 'the path of a PEM file' },
  APP_DIRECTOR_CLIENT_CERTIFICATE_FILE: { meaning: 'This service’s own certificate, with its chain, for a gateway with mutual TLS; no OAuth2 is used then. Read again when it changes', default: undefined, defaultReads: 'none: OAuth2', ...path, allowed: 'the path of a PEM file' },
  APP_DIRECTOR_CLIENT_KEY_FILE: { meaning: 'The key of that certificate', default: undefined, defaultReads: 'none', ...path, allowed: 'the path of a PEM file without a passphrase' },
  APP_RUNTIME_DEREGISTRATION_ENABLED: { meaning: 'Whether deprovisioning removes Runtimes from the Director that this service registered', default: 'true', ...boolean },
  APP_CALLERS_RUNTIME_DEREGISTRATION_ENABLED: { meaning: 'Whether it also removes those that the caller registered', default: 'false', ...boolean },
  APP_SKIP_DIRECTOR_CERT_VERIFICATION: { meaning: "Whether the Director's certificate is accepted unverified; for development only", default: 'false', ...boolean },
  APP_CREDENTIALS_NAMESPACE: { meaning: 'Namespace of the Secrets with credentials: those for the Director, and the keys of Google service accounts', default: 'compass-system', ...name('the name of a namespace') },
  APP_OAUTH_CREDENTIALS_SECRET_NAME: { meaning: 'That Secret, with `client_id`, `client_secret` and `tokens_endpoint`', default: 'compass-provisioner-credentials', ...name('the name of a Secret') },

  APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION: timeout('creating the cluster', '60m'),
  APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS: timeout('the cluster getting its domain', '10m'),
  APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION: timeout('giving administrators their role', '5m'),
  APP_PROVISIONING_TIMEOUT_INSTALLATION_TRIGGERING: timeout('starting the installation of Kyma', '20m'),
  APP_PROVISIONING_TIMEOUT_INSTALLATION: timeout('installing Kyma', '60m'),
  APP_PROVISIONING_TIMEOUT_UPGRADE_TRIGGERING: timeout('starting an upgrade, of the cluster or of Kyma', '20m'),
  APP_PROVISIONING_TIMEOUT_UPGRADE: timeout('upgrading Kyma', '60m'),
  APP_PROVISIONING_TIMEOUT_SHOOT_UPGRADE: timeout('the cluster being changed or upgraded', '30m'),
  APP_PROVISIONING_TIMEOUT_SHOOT_REFRESH: timeout('changing the configuration of the cluster, until its provider has begun', '5m'),
  APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION: timeout('configuring the Runtime Agent', '15m'),
  APP_PROVISIONING_TIMEOUT_AGENT_CONNECTION: timeout('the Runtime Agent connecting', '15m'),
  APP_DEPROVISIONING_TIMEOUT_CLUSTER_CLEANUP: timeout('cleaning up the cluster before it is deleted', '20m'),
  APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION: timeout('starting the deletion of the cluster', '30m'),
  APP_DEPROVISIONING_TIMEOUT_WAITING_FOR_CLUSTER_DELETION: timeout('the cluster being deleted', '60m'),
  APP_DEPROVISIONING_TIMEOUT_UNREGISTRATION: timeout('removing the Runtime from the Director', '15m'),
  APP_HIBERNATION_TIMEOUT_WAITING_FOR_CLUSTER_HIBERNATION: timeout('the cluster being hibernated', '60m'),
  APP_HIBERNATION_TIMEOUT_WAITING_FOR_CLUSTER_WAKE_UP: timeout('the cluster waking up', '60m'),

  APP_ORPHAN_SEARCH_INTERVAL: {
    meaning: 'How often each part of the outside world is searched for what belongs to no Runtime', default: '30s',
    allowed: 'a duration of 1s to 1h', schema: duration.refine((milliseconds) => milliseconds >= 1_000 && milliseconds <= 3_600_000, 'is not within these bounds'),
  },

  APP_ENQUEUE_IN_PROGRESS_OPERATIONS: { meaning: 'Whether operations go on that were in progress when the service started; `false`: this replica takes up only what is accepted after its start', default: 'true', ...boolean },

  APP_SHUTDOWN_DELAY: {
    meaning: 'For how long requests are still answered after SIGTERM, while `/readyz` says 503 and whoever is in front turns to other replicas; SIGINT or a second signal ends it', default: '5s',
    allowed: 'a duration of up to 10m, such as 0s or 15s', schema: duration.refine((milliseconds) => milliseconds <= 600_000, 'is longer than that'),
  },

  APP_CRASH_POINT: {
    meaning: 'For tests of the service: the place at which this process kills itself', default: undefined, allowed: crashPlaces,
    schema: z.string().transform((text, context) => parseCrashPlace(text) ?? wrong(context, 'is not such a place')),
  },
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

export type VariableName = keyof typeof variables;

function wrong(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

function parseAddress(text: string): Address | undefined {
  const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([^:[\]\s]*)):(\d+)$/.exec(text) ?? [];
  const port = parsePort(portText ?? '', 0);
  if (port === undefined) return undefined;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : undefined;
  // Go's way to say: every interface.
  return { host: plain === undefined || plain === '' ? '::' : plain, port };
}

function parsePort(text: string, lowest: number): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port >= lowest && port <= 65_535 ? port : undefined;
}

function isHttpsOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.pathname === '/' && `${url.search}${url.hash}${url.username}` === '';
}

function isHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && `${url.username}${url.password}${url.hash}` === '';
}

function isFileUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'file:' && url.host === '';
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

function isLogLevel(text: string): LogLevel | undefined {
  return Object.hasOwn(logLevels, text) ? logLevels[text as keyof typeof logLevels] : undefined;
}
