import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillGarden } from '../../../landscape/garden/garden-content.ts';
import { gardenTypes } from '../../../landscape/garden/garden-types.ts';
import { findSeed } from '../../../landscape/garden/scheduler.ts';
import { admitShoot } from '../../../landscape/garden/shoot-admission.ts';
import { shootType } from '../../../landscape/garden/shoot-type.ts';
import { KubernetesApi } from '../../../landscape/kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../../../landscape/kubernetes/resource-type.ts';
import { StatusError } from '../../../landscape/kubernetes/status-error.ts';
import { awsShoot, azureShoot, gcpShoot, openstackShoot } from './shoots.ts';

const garden: KubernetesApi = new KubernetesApi({
  name: 'garden',
  types: [
    ...gardenTypes,
    shootType({ garden: () => garden, issueKubeconfig: () => Promise.reject(new Error('not in this test')) }),
  ],
});
fillGarden(garden);
garden.create('configmaps', { metadata: { name: 'empty', namespace: 'garden-dev' }, data: {} });
garden.create('configmaps', {
  metadata: { name: 'wrong', namespace: 'garden-dev' },
  data: { 'config.yaml': 'kind: AuthenticationConfiguration\njwt: []\n' },
});
garden.close();

interface Refusal {
  readonly reason: string;
  readonly shoot?: () => KubeObject;
  readonly change: (spec: KubeObject['spec']) => void;
  readonly code: number;
  readonly says: RegExp;
}

const authentication = (configMapName: string) => (spec: KubeObject['spec']) => {
  spec.kubernetes.kubeAPIServer = { structuredAuthentication: { configMapName } };
};
const natGateway = (config: object) => (spec: KubeObject['spec']) => {
  spec.provider.infrastructureConfig.networks.natGateway = config;
};

const refusals: readonly Refusal[] = [
  {
    reason: 'the floating pool is not in the CloudProfile',
    shoot: openstackShoot,
    change: (spec) => Object.assign(spec.provider.infrastructureConfig, { floatingPoolName: 'puddle' }),
    code: 422,
    says: /floatingPoolName: Unsupported value: "puddle": supported values: "FloatingIP-external-kyma-01"/,
  },
  {
    reason: 'the load balancer provider is missing',
    shoot: openstackShoot,
    change: (spec) => delete spec.provider.controlPlaneConfig.loadBalancerProvider,
    code: 422,
    says: /loadBalancerProvider: Required value: must provide the name of a load balancer provider/,
  },
  {
    reason: 'the WorkerConfig has a field that nobody knows',
    shoot: awsShoot,
    change: (spec) =>
      Object.assign(spec.provider.workers[0], {
        providerConfig: {
          apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
          kind: 'WorkerConfig',
          instanceMetadataOptions: { tokens: 'required' },
        },
      }),
    code: 422,
    says: /workers\[0\]\.providerConfig': strict decoding error: unknown field "instanceMetadataOptions\.tokens"/,
  },
  {
    reason: 'a NAT gateway needs a zoned cluster',
    shoot: azureShoot,
    change: (spec) => {
      spec.provider.infrastructureConfig.zoned = false;
      delete spec.provider.workers[0].zones;
      natGateway({ enabled: true })(spec);
    },
    code: 422,
    says: /NatGateway is currently only supported for zonal and VMO clusters/,
  },
  {
    reason: 'the timeout of a NAT gateway is out of bounds',
    shoot: azureShoot,
    change: natGateway({ enabled: true, idleConnectionTimeoutMinutes: 3 }),
    code: 422,
    says: /idleConnectionTimeoutMinutes values must range between 4 and 120/,
  },
  {
    reason: 'a NAT gateway is configured that is disabled',
    shoot: azureShoot,
    change: natGateway({ enabled: false, idleConnectionTimeoutMinutes: 10 }),
    code: 422,
    says: /NatGateway is disabled but additional NatGateway config is passed/,
  },
  {
    reason: 'there is no such failure tolerance',
    change: (spec) =>
      Object.assign(spec, { controlPlane: { highAvailability: { failureTolerance: { type: 'moon' } } } }),
    code: 422,
    says: /failureTolerance\.type: Unsupported value: "moon": supported values: "node", "zone"/,
  },
  {
    reason: 'secretName of a DNS provider is gone from Kubernetes 1.35 on',
    change: (spec) => {
      spec.kubernetes.version = '1.35.1';
      spec.dns = { domain: 'a.example.com', providers: [{ type: 'aws-route53', primary: true, secretName: 'dns' }] };
    },
    code: 422,
    says: /spec\.dns\.providers\[0\]\.secretName: Forbidden: is not supported for Kubernetes versions >= 1\.35/,
  },
  {
    reason: 'the Secret of a DNS provider is missing',
    change: (spec) => {
      const credentialsRef = { apiVersion: 'v1', kind: 'Secret', name: 'nowhere' };
      spec.dns = { domain: 'a.example.com', providers: [{ type: 'aws-route53', primary: true, credentialsRef }] };
    },
    code: 403,
    says: /secrets "nowhere" not found/,
  },
  {
    reason: 'the extension is not registered',
    change: (spec) => Object.assign(spec, { extensions: [{ type: 'shoot-coffee-service' }] }),
    code: 403,
    says: /non-registered extension type: spec\.extensions\[0\]\.type \("shoot-coffee-service"\)/,
  },
  {
    reason: 'the project may not tolerate the taint',
    change: (spec) => Object.assign(spec, { tolerations: [{ key: 'mine' }] }),
    code: 403,
    says: /spec\.tolerations\[0\]: Forbidden: only the following tolerations are allowed/,
  },
  {
    reason: 'the region knows no such access restriction',
    change: (spec) => Object.assign(spec, { accessRestrictions: [{ name: 'moon-only' }] }),
    code: 403,
    says: /access restriction "moon-only" is not supported in region "europe-west3"/,
  },
  {
    reason: 'the ConfigMap for authentication is missing',
    change: authentication('nowhere'),
    code: 403,
    says: /configmaps "nowhere" not found/,
  },
  {
    reason: 'the ConfigMap for authentication lacks its key',
    change: authentication('empty'),
    code: 422,
    says: /missing authentication configuration key in garden-dev\/empty ConfigMap data/,
  },
  {
    reason: 'the authentication configuration has no issuer',
    change: authentication('wrong'),
    code: 422,
    says: /provided invalid authentication configuration/,
  },
];

describe('admission of the optional parts of a Shoot', () => {
  it('accepts a Shoot on OpenStack, whose machines bring their disks', () => {
    admit(openstackShoot());
  });

  for (const { reason, shoot: build = gcpShoot, change, code, says } of refusals) {
    it(`refuses with ${code} because ${reason}`, () => {
      const shoot = build();
      change(shoot.spec);
      assert.throws(
        () => admit(shoot),
        (error) => {
          assert.ok(error instanceof StatusError, String(error));
          assert.match(error.message, says);
          assert.equal(error.code, code);
          return true;
        },
      );
    });
  }

  it('gives a Shoot that comes with its seed a domain at once', () => {
    const shoot = gcpShoot();
    shoot.spec.seedName = 'gcp-eu1';
    admit(shoot);
    assert.equal(shoot.spec.dns.domain, 'demo.dev.shoot.landscape.example');
  });
});

describe('the seed for a Shoot', () => {
  const selecting = (region: string, tolerations: object[] = []) => {
    const shoot = gcpShoot();
    Object.assign(shoot.spec, { tolerations, seedSelector: { matchLabels: { 'seed.gardener.cloud/region': region } } });
    return findSeed(garden, shoot);
  };

  it('is in the region that it selects', () => {
    assert.equal(selecting('europe-west1'), 'gcp-eu1');
    assert.equal(selecting('europe-west3'), undefined);
  });

  it('is not one whose taint the Shoot does not tolerate', () => {
    assert.equal(selecting('me-central2'), undefined);
    assert.equal(selecting('me-central2', [{ key: 'ksa-assured-workload' }]), 'gcp-ksa1');
  });

  it('is under the same access restrictions', () => {
    const shoot = gcpShoot();
    shoot.spec.accessRestrictions = [{ name: 'eu-access-only' }];
    assert.equal(findSeed(garden, shoot), 'gcp-eu1');
    shoot.spec.accessRestrictions = [{ name: 'moon-only' }];
    assert.equal(findSeed(garden, shoot), undefined);
  });
});

function admit(object: KubeObject): void {
  const user = { name: 'test', groups: [] };
  admitShoot({ operation: 'CREATE', object, old: undefined, user, dryRun: false }, garden);
}
