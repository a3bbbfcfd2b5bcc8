import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { defaultRequestLimits } from '../../src/api/request-limits.ts';
import { ConfigError, printConfiguration, readConfig } from '../../src/config.ts';
import { deadlineNames } from '../../src/domain/flow.ts';

const minute = 60_000;
const key = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({ PATH: '/bin' });
  const { deadlines, ...rest } = config;
  assert.deepEqual(rest, {
    address: { host: '127.0.0.1', port: 3000 },
    metricsAddress: { host: '127.0.0.1', port: 9000 },
    apiEndpoint: '/graphql',
    playgroundApiEndpoint: '/graphql',
    playground: true,
    introspection: true,
    requestLimits: defaultRequestLimits,
    logLevel: 'info',
    database: { kind: 'embedded', path: '.data/postgres', secretKey: undefined },
    gardener: {
      enabled: true,
      project: 'gardenerProject',
      namespace: 'garden-gardenerProject',
      kubeconfigPath: './dev/kubeconfig.yaml',
      requests: { perSecond: 100, burst: 200 },
      autoUpdate: { kubernetesVersion: false, machineImageVersion: false },
      policy: {
        maintenanceWindowsPath: undefined,
        auditPolicyConfigMap: undefined,
        auditLogTenant: undefined,
        auditLogTenantsPath: undefined,
        tolerationsPath: undefined,
        instanceMetadataV2: false,
      },
    },
    gke: { endpoint: 'https://container.googleapis.com', credentialsNamespace: 'compass-system' },
    serviceBrokerPrefix: 'https://service-manager.',
    kyma: {
      cataloguePath: undefined,
      catalogueUrl: undefined,
      catalogueSha256: undefined,
      refreshMilliseconds: 600_000,
      mirror: undefined,
      prefetch: false,
      privateAddresses: 'refused',
      dependencies: 'add',
      warnings: 'accept',
    },
    director: {
      url: 'https://compass-gateway-auth-oauth.kyma.local/director/graphql',
      tls: { skipCertificateVerification: false, authorityFile: undefined, clientCertificate: undefined },
      credentials: { namespace: 'compass-system', secretName: 'compass-provisioner-credentials' },
      unregisters: { ours: true, callers: false },
    },
    ambient: { kubeconfig: undefined, homeDirectory: '/', serviceHost: undefined, servicePort: undefined },
    orphanSearchMilliseconds: 30_000,
    enqueueInProgressOperations: true,
    shutdownDelayMilliseconds: 5_000,
    crashPlace: undefined,
    unknownVariables: [],
  });
  assert.deepEqual(deadlines, {
    clusterCreation: 60 * minute,
    clusterDomain: 10 * minute,
    bindingsCreation: 5 * minute,
    installationTriggering: 20 * minute,
    installation: 60 * minute,
    agentConfiguration: 15 * minute,
    agentConnection: 15 * minute,
    clusterCleanup: 20 * minute,
    clusterDeletion: 30 * minute,
    waitingForClusterDeletion: 60 * minute,
    unregistration: 15 * minute,
    upgradeTriggering: 20 * minute,
    upgrade: 60 * minute,
    shootRefresh: 5 * minute,
    shootUpgrade: 30 * minute,
    hibernation: 60 * minute,
    wakeUp: 60 * minute,
  });
  assert.deepEqual(Object.keys(deadlines).sort(), [...deadlineNames].sort());
});

test('an empty or blank value means the default', () => {
  const filled = readConfig({ APP_ADDRESS: '', APP_LOG_LEVEL: '  ', APP_DIRECTOR_URL: '', APP_GARDENER_NAMESPACE: '' });
  assert.deepEqual(filled, readConfig({}));
});

test('a database host, even an empty one, chooses a server; none at all the embedded one', () => {
  const given = readConfig({
    APP_DATABASE_HOST: 'db.example',
    APP_DATABASE_SECRET_KEY: key,
    APP_DATABASE_PASSWORD: 'p',
  });
  assert.equal(given.database.kind, 'server');
  const { database } = readConfig({ APP_DATABASE_HOST: '', APP_DATABASE_SECRET_KEY: key });
  assert.ok(database.kind === 'server');
  const { password, secretKey, ...rest } = database;
  assert.deepEqual(rest, {
    kind: 'server',
    host: 'localhost',
    port: 5432,
    name: 'provisioner',
    user: 'postgres',
    sslMode: 'disable',
    sslRootCert: undefined,
  });
  assert.equal(password.reveal(), 'password');
  assert.equal(secretKey.reveal().length, 32);
});

test('registration can be switched off, and then there is no Director', () => {
  assert.equal(readConfig({ APP_RUNTIME_REGISTRATION_ENABLED: 'false' }).director, undefined);
});

test('a variable that nothing reads is named', () => {
  const { unknownVariables } = readConfig({ APP_GARDNER_PROJECT: 'typo', APPLE: 'no' });
  assert.deepEqual(unknownVariables, ['APP_GARDNER_PROJECT']);
  // Of the original: one that its chart set and nothing read, and one that wrote what callers send to the disk.
  const ofOld = { APP_DATABASE_SSL: 'require', APP_GARDENER_ENABLE_DUMP_SHOOT_SPEC: 'true' };
  assert.deepEqual(readConfig(ofOld).unknownVariables, Object.keys(ofOld));
});

const accepted: {
  reason: string;
  environment: Record<string, string>;
  look: (config: ReturnType<typeof readConfig>) => unknown;
  is: unknown;
}[] = [
  {
    reason: 'port 0 takes a free port',
    environment: { APP_ADDRESS: 'localhost:0' },
    look: (c) => c.address,
    is: { host: 'localhost', port: 0 },
  },
  {
    reason: "Go's way to say every interface",
    environment: { APP_ADDRESS: ':3000' },
    look: (c) => c.address,
    is: { host: '::', port: 3000 },
  },
  {
    reason: 'an IPv6 address',
    environment: { APP_METRICS_ADDRESS: '[::1]:9000' },
    look: (c) => c.metricsAddress,
    is: { host: '::1', port: 9000 },
  },
  {
    reason: "the original's level names",
    environment: { APP_LOG_LEVEL: 'WARNING' },
    look: (c) => c.logLevel,
    is: 'warn',
  },
  {
    reason: "Go's spelling of true",
    environment: { APP_SKIP_DIRECTOR_CERT_VERIFICATION: '1' },
    look: (c) => c.director?.tls.skipCertificateVerification,
    is: true,
  },
  {
    reason: 'a duration of several units',
    environment: { APP_PROVISIONING_TIMEOUT_INSTALLATION: '1h30m' },
    look: (c) => c.deadlines.installation,
    is: 90 * minute,
  },
  {
    reason: 'the namespace follows the project',
    environment: { APP_GARDENER_PROJECT: 'dev' },
    look: (c) => c.gardener.namespace,
    is: 'garden-dev',
  },
  {
    reason: 'unless it is given',
    environment: { APP_GARDENER_PROJECT: 'dev', APP_GARDENER_NAMESPACE: 'x' },
    look: (c) => c.gardener.namespace,
    is: 'x',
  },
  {
    reason: 'the playground may talk to another host',
    environment: { APP_PLAYGROUND_API_ENDPOINT: 'https://a.example/graphql' },
    look: (c) => c.playgroundApiEndpoint,
    is: 'https://a.example/graphql',
  },
];

test('values are read as documented', () => {
  for (const { reason, environment, look, is } of accepted) assert.deepEqual(look(readConfig(environment)), is, reason);
});

const refused: { reason: string; environment: Record<string, string>; mistakes: (string | RegExp)[] }[] = [
  {
    reason: 'there is one catalogue, and it is trusted by its address',
    environment: { APP_KYMA_CATALOGUE_PATH: 'a.json', APP_KYMA_CATALOGUE_URL: 'https://kyma.example.com/b.json' },
    mistakes: [/^APP_KYMA_CATALOGUE_URL: .* is one too many: APP_KYMA_CATALOGUE_PATH is set/],
  },
  {
    reason: 'addresses of Kyma releases are encrypted, and of nobody in particular',
    environment: {
      APP_KYMA_CATALOGUE_URL: 'https://user:pass@kyma.example.com/b.json',
      APP_KYMA_CATALOGUE_SHA256: 'abc',
      APP_KYMA_ARTIFACTS_MIRROR: 'http://mirror.example.com',
    },
    mistakes: [
      /^APP_KYMA_CATALOGUE_URL: .* is not an https URL/,
      /^APP_KYMA_CATALOGUE_SHA256: "abc" is not 64 hexadecimal digits/,
      /^APP_KYMA_ARTIFACTS_MIRROR: "http:.* is neither an https URL nor a file URL/,
    ],
  },
  {
    reason: 'a digest is for an address',
    environment: { APP_KYMA_CATALOGUE_SHA256: 'a'.repeat(64) },
    mistakes: [/^APP_KYMA_CATALOGUE_SHA256: .* is only for APP_KYMA_CATALOGUE_URL, which is not set/],
  },
  {
    reason: 'an address needs a port',
    environment: { APP_ADDRESS: 'localhost' },
    mistakes: [
      'APP_ADDRESS: "localhost" is not <host>:<port>; allowed: <host>:<port>, such as 127.0.0.1:3000, [::1]:3000 or :3000 (every interface); port 0 takes a free one',
    ],
  },
  {
    reason: 'a port has 16 bits',
    environment: { APP_ADDRESS: 'a:65536' },
    mistakes: [/^APP_ADDRESS: "a:65536" is not/],
  },
  {
    reason: 'a boolean is no number of times',
    environment: { APP_RUNTIME_REGISTRATION_ENABLED: 'yes' },
    mistakes: ['APP_RUNTIME_REGISTRATION_ENABLED: "yes" is neither true nor false; allowed: true or false'],
  },
  {
    reason: 'a duration has a unit',
    environment: { APP_PROVISIONING_TIMEOUT_INSTALLATION: '60' },
    mistakes: [/^APP_PROVISIONING_TIMEOUT_INSTALLATION: "60" is not a duration; allowed: a duration of more than 0/],
  },
  {
    reason: 'a limit of 0 would fail everything',
    environment: { APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION: '0s' },
    mistakes: [/"0s" is not more than 0/],
  },
  {
    reason: 'a path begins with a slash',
    environment: { APP_API_ENDPOINT: 'graphql' },
    mistakes: [/^APP_API_ENDPOINT: "graphql" is not a path/],
  },
  {
    reason: 'the health page cannot be the endpoint',
    environment: { APP_API_ENDPOINT: '/healthz' },
    mistakes: [/^APP_API_ENDPOINT: "\/healthz" is taken/],
  },
  {
    reason: 'an unknown sslmode',
    environment: { APP_DATABASE_SSL_MODE: 'on' },
    mistakes: [
      'APP_DATABASE_SSL_MODE: "on" is not an sslmode; allowed: disable, allow, prefer, require, verify-ca, verify-full',
    ],
  },
  {
    reason: 'a server needs a key',
    environment: { APP_DATABASE_HOST: 'db' },
    mistakes: [/^APP_DATABASE_SECRET_KEY: is missing; .*APP_DATABASE_HOST.*; allowed: 32 bytes/],
  },
  {
    reason: 'verifying needs a root certificate',
    environment: { APP_DATABASE_HOST: 'db', APP_DATABASE_SECRET_KEY: key, APP_DATABASE_SSL_MODE: 'verify-full' },
    mistakes: [/^APP_DATABASE_SSL_ROOT_CERT: is missing; .*verify-full/],
  },
  {
    reason: 'a weak mode with the public authorities',
    environment: {
      APP_DATABASE_HOST: 'db',
      APP_DATABASE_SECRET_KEY: key,
      APP_DATABASE_SSL_MODE: 'require',
      APP_DATABASE_SSL_ROOT_CERT: 'system',
    },
    mistakes: [/^APP_DATABASE_SSL_ROOT_CERT: "system" is too weak/],
  },
  {
    reason: 'a Director without a scheme',
    environment: { APP_DIRECTOR_URL: 'director:3000/graphql' },
    mistakes: [/^APP_DIRECTOR_URL: "director:3000\/graphql" is not an http\(s\) URL/],
  },
  {
    reason: 'all mistakes at once, one line each',
    environment: { APP_ADDRESS: 'x', APP_LOG_LEVEL: 'loud', APP_DATABASE_HOST: 'db', APP_DATABASE_PORT: '0' },
    mistakes: [
      /^APP_ADDRESS: /,
      /^APP_LOG_LEVEL: "loud" is not a log level; allowed: trace, debug/,
      /^APP_DATABASE_PORT: "0"/,
      /^APP_DATABASE_SECRET_KEY: /,
    ],
  },
];

test('a wrong value is told with its name, what is wrong and what is allowed', () => {
  for (const { reason, environment, mistakes } of refused) {
    assert.throws(
      () => readConfig(environment),
      (error) => {
        assert.ok(error instanceof ConfigError, reason);
        assert.equal(error.message.split('\n').length, mistakes.length, `${reason}: ${error.message}`);
        for (const [index, mistake] of mistakes.entries()) {
          const line: string = error.mistakes[index] ?? '';
          if (typeof mistake === 'string') assert.equal(line, mistake, reason);
          else assert.match(line, mistake, reason);
        }
        return true;
      },
      reason,
    );
  }
});

test('a confidential value shows neither in a mistake nor in the configuration', () => {
  const environment = {
    APP_DATABASE_HOST: 'db',
    APP_DATABASE_PASSWORD: 'hunter2',
    APP_DATABASE_SECRET_KEY: 'too-short-hunter2',
  };
  assert.throws(
    () => readConfig(environment),
    (error) => error instanceof ConfigError && !error.message.includes('hunter2') && error.mistakes.length === 1,
  );
  const config = readConfig({ ...environment, APP_DATABASE_SECRET_KEY: key });
  assert.equal(`${JSON.stringify(config)}${inspect(config, { depth: 9 })}`.match(/hunter2|0123456789abcdef/), null);
});

test('docs/configuration.md is what the table says', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  assert.equal(page, printConfiguration());
  assert.match(page, /\| `APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS` \| .* \| `10m` \|/);
});

test('a place to crash at is no unknown variable, and a slip in it is a mistake', () => {
  const place = 'before-commit:Provision/CreatingCluster';
  const { crashPlace, unknownVariables } = readConfig({ APP_CRASH_POINT: place });
  assert.deepEqual({ crashPlace, unknownVariables }, { crashPlace: place, unknownVariables: [] });
  assert.equal(readConfig({ APP_CRASH_POINT: 'after-registration' }).crashPlace, 'after-registration');
  for (const slip of ['before-comit:Provision/CreatingCluster', 'before-commit', 'after-registration:x/y']) {
    assert.throws(() => readConfig({ APP_CRASH_POINT: slip }), /^ConfigError: APP_CRASH_POINT: .* is not such a place/);
  }
});

test('each limit of a request is set by a variable of its own, within bounds', () => {
  const { requestLimits } = readConfig({
    APP_API_MAX_DEPTH: '10',
    APP_API_MAX_ROOT_FIELDS: '11',
    APP_API_MAX_ALIASES: '12',
    APP_API_MAX_SELECTIONS: '113',
    APP_API_MAX_TOKENS: '1014',
    APP_API_MAX_COST: '20015',
    APP_API_MAX_BODY_BYTES: '1025',
    APP_API_MAX_PAGE_SIZE: '117',
    APP_API_REQUEST_TIMEOUT: '18s',
  });
  assert.deepEqual(requestLimits, {
    ...{ depth: 10, rootFields: 11, aliases: 12, selections: 113, tokens: 1_014, cost: 20_015, bodyBytes: 1_025 },
    ...{ pageSize: 117, timeoutMillis: 18_000 },
  });
  const wrong = { APP_API_MAX_DEPTH: '4', APP_API_MAX_ALIASES: '1.5', APP_API_MAX_PAGE_SIZE: '1001' };
  assert.throws(() => readConfig({ ...wrong, APP_API_REQUEST_TIMEOUT: '11m' }), {
    mistakes: [
      'APP_API_MAX_DEPTH: "4" is not such a number; allowed: 5 to 100',
      'APP_API_MAX_ALIASES: "1.5" is not such a number; allowed: 0 to 10000',
      'APP_API_MAX_PAGE_SIZE: "1001" is not such a number; allowed: 100 to 1000',
      'APP_API_REQUEST_TIMEOUT: "11m" is not within these bounds; allowed: a duration of 1s to 10m',
    ],
  });
});
