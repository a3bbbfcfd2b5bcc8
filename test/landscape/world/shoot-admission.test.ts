import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillGarden } from '../../../landscape/garden/garden-content.ts';
import { gardenTypes } from '../../../landscape/garden/garden-types.ts';
import { admitShoot } from '../../../landscape/garden/shoot-admission.ts';
import { shootType } from '../../../landscape/garden/shoot-type.ts';
import { KubernetesApi } from '../../../landscape/kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../../../landscape/kubernetes/resource-type.ts';
import { StatusError } from '../../../landscape/kubernetes/status-error.ts';
import { awsShoot, azureShoot, gcpShoot } from './shoots.ts';

const garden: KubernetesApi = new KubernetesApi({
  name: 'garden',
  types: [
    ...gardenTypes,
    shootType({ garden: () => garden, issueKubeconfig: () => Promise.reject(new Error('not in this test')) }),
  ],
});
fillGarden(garden);
garden.close();

interface Refusal {
  readonly reason: string;
  readonly shoot?: () => KubeObject;
  readonly change: (shoot: KubeObject) => void;
  readonly code: number;
  readonly says: RegExp;
}

const worker = (shoot: KubeObject) => shoot.spec.provider.workers[0];
const infrastructure = (shoot: KubeObject) => shoot.spec.provider.infrastructureConfig;

const refusals: readonly Refusal[] = [
  {
    reason: 'project and Shoot name together are longer than 21 characters',
    change: (shoot) => {
      shoot.metadata.name = 'a-name-of-19-letter';
    },
    code: 422,
    says: /the length of the shoot name and the project name must not exceed 21 characters \(project: dev; shoot: a-name-of-19-letter\)/,
  },
  {
    reason: 'the name has two consecutive hyphens',
    change: (shoot) => {
      shoot.metadata.name = 'a--b';
    },
    code: 422,
    says: /metadata.name: Invalid value: "a--b"/,
  },
  {
    reason: 'cloudProfileName is gone from Kubernetes 1.34 on',
    change: (shoot) => {
      delete shoot.spec.cloudProfile;
      shoot.spec.cloudProfileName = 'gcp';
    },
    code: 422,
    says: /spec.cloudProfileName: Forbidden/,
  },
  {
    reason: 'the CloudProfile is named by both of its fields',
    change: (shoot) => {
      shoot.spec.cloudProfileName = 'gcp';
    },
    code: 403,
    says: /new shoot can only specify either cloudProfileName or cloudProfile reference/,
  },
  {
    reason: 'secretBindingName is gone from Kubernetes 1.34 on',
    change: (shoot) => {
      delete shoot.spec.credentialsBindingName;
      shoot.spec.secretBindingName = 'gcp-credentials';
    },
    code: 422,
    says: /spec.secretBindingName: Forbidden/,
  },
  {
    reason: 'the CIDR has host bits',
    change: (shoot) => {
      shoot.spec.networking.nodes = '10.250.0.1/22';
    },
    code: 422,
    says: /spec.networking.nodes: Invalid value: "10.250.0.1\/22": must be valid canonical CIDR: 10.250.0.0\/22/,
  },
  {
    reason: 'nodes and services overlap',
    change: (shoot) => {
      shoot.spec.networking.services = '10.250.1.0/24';
    },
    code: 422,
    says: /must not overlap with "spec.networking.nodes"/,
  },
  {
    reason: 'the range is reserved by Gardener',
    change: (shoot) => {
      shoot.spec.networking.pods = '241.0.0.0/11';
    },
    code: 422,
    says: /spec.networking.pods: Invalid value: .*reserved range/,
  },
  {
    reason: 'surge and unavailable are both 0',
    change: (shoot) => Object.assign(worker(shoot), { maxSurge: 0, maxUnavailable: 0 }),
    code: 422,
    says: /workers\[0\].maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0/,
  },
  {
    reason: 'maximum is below minimum',
    change: (shoot) => Object.assign(worker(shoot), { minimum: 3, maximum: 2 }),
    code: 422,
    says: /workers\[0\].maximum: Forbidden/,
  },
  {
    reason: 'a worker pool has a long name',
    change: (shoot) => Object.assign(worker(shoot), { name: 'sixteen-letters-' }),
    code: 422,
    says: /workers\[0\].name: Too long/,
  },
  {
    reason: 'an operation that does not exist is asked for',
    change: (shoot) => {
      shoot.metadata.annotations = { 'gardener.cloud/operation': 'please' };
    },
    code: 422,
    says: /Unsupported value: "please"/,
  },
  {
    reason: 'the Kubernetes version is not in the CloudProfile',
    change: (shoot) => {
      shoot.spec.kubernetes.version = '1.31.0';
    },
    code: 403,
    says: /shoots.core.gardener.cloud "demo" is forbidden: \[spec.kubernetes.version: Unsupported value: "1.31.0": supported values: "1.36.0"/,
  },
  {
    reason: 'the Kubernetes version has expired',
    change: (shoot) => {
      shoot.spec.kubernetes.version = '1.32.0';
    },
    code: 403,
    says: /spec.kubernetes.version: Unsupported value/,
  },
  {
    reason: 'the machine type is unknown',
    change: (shoot) => {
      worker(shoot).machine.type = 'x1-tiny';
    },
    code: 403,
    says: /workers\[0\].machine.type: Unsupported value: "x1-tiny"/,
  },
  {
    reason: 'the machine image is unknown',
    change: (shoot) => {
      worker(shoot).machine.image = { name: 'gardenlinux', version: '1.2.3' };
    },
    code: 403,
    says: /machine image version is not supported/,
  },
  {
    reason: 'the zone is in another region',
    change: (shoot) => {
      worker(shoot).zones = ['europe-west1-b'];
      shoot.spec.provider.controlPlaneConfig.zone = 'europe-west1-b';
    },
    code: 403,
    says: /workers\[0\].zones\[0\]: Unsupported value: "europe-west1-b"/,
  },
  {
    reason: 'the region is unknown',
    change: (shoot) => {
      shoot.spec.region = 'atlantis';
    },
    code: 403,
    says: /spec.region: Unsupported value: "atlantis"/,
  },
  {
    reason: 'the binding does not exist',
    change: (shoot) => {
      shoot.spec.credentialsBindingName = 'nobody';
    },
    code: 403,
    says: /credentialsbinding.security.gardener.cloud "nobody" not found/,
  },
  {
    reason: 'the binding is for another cloud',
    change: (shoot) => {
      shoot.spec.credentialsBindingName = 'aws-credentials';
    },
    code: 403,
    says: /must match provider type of referenced CredentialsBinding: \\?"aws"/,
  },
  {
    reason: 'the CloudProfile does not exist',
    change: (shoot) => {
      shoot.spec.cloudProfile.name = 'nobody';
    },
    code: 403,
    says: /cloudprofile.core.gardener.cloud "nobody" not found/,
  },
  {
    reason: 'the provider does not know a field of its config',
    change: (shoot) => {
      infrastructure(shoot).networks.subnets = [];
    },
    code: 422,
    says: /admission webhook "validation.provider-gcp.gardener.cloud" denied the request: .*unknown field "networks.subnets"/,
  },
  {
    reason: 'GCP needs a zone for its control plane',
    change: (shoot) => {
      delete shoot.spec.provider.controlPlaneConfig;
    },
    code: 422,
    says: /spec.provider.controlPlaneConfig: Required value/,
  },
  {
    reason: "GCP's workers lie outside of the nodes",
    change: (shoot) => {
      infrastructure(shoot).networks.workers = '10.251.0.0/22';
    },
    code: 422,
    says: /networks.workers: Invalid value: "10.251.0.0\/22": must be a subset of \\?"networking.nodes/,
  },
  {
    reason: "AWS' zones overlap",
    shoot: awsShoot,
    change: (shoot) => {
      infrastructure(shoot).networks.zones[0].public = '10.250.0.0/20';
    },
    code: 422,
    says: /must not overlap with/,
  },
  {
    reason: 'an AWS worker uses a zone that has no network',
    shoot: awsShoot,
    change: (shoot) => worker(shoot).zones.push('eu-central-1b'),
    code: 422,
    says: /workers\[0\].zones\[1\]: Invalid value: "eu-central-1b"/,
  },
  {
    reason: "Azure's workers lie outside of the virtual network",
    shoot: azureShoot,
    change: (shoot) => {
      infrastructure(shoot).networks.vnet.cidr = '10.250.128.0/17';
    },
    code: 422,
    says: /must be a subset of \\?"networks.vnet.cidr/,
  },
  {
    reason: 'Azure without zones does not take worker zones',
    shoot: azureShoot,
    change: (shoot) => {
      infrastructure(shoot).zoned = false;
    },
    code: 422,
    says: /zones must not be specified for non zoned cluster/,
  },
];

describe('admission of a Shoot', () => {
  for (const shoot of [gcpShoot(), azureShoot(), awsShoot()]) {
    it(`accepts a Shoot on ${shoot.spec.provider.type} and fills in the defaults`, () => {
      admit(shoot);
      assert.equal(worker(shoot).machine.image.name, 'gardenlinux');
      assert.equal(worker(shoot).machine.image.version, '1877.9.0');
      assert.equal(shoot.spec.maintenance.autoUpdate.kubernetesVersion, true);
      assert.equal(shoot.spec.kubernetes.kubeProxy.mode, 'IPTables');
    });
  }

  for (const { reason, shoot: build = gcpShoot, change, code, says } of refusals) {
    it(`refuses with ${code} because ${reason}`, () => {
      const shoot = build();
      change(shoot);
      const error = refusalOf(() => admit(shoot));
      assert.match(error.message, says);
      assert.equal(error.code, code);
    });
  }

  it('takes the newest supported patch for a minor version, and never a preview', () => {
    const minor = gcpShoot();
    minor.spec.kubernetes.version = '1.34';
    admit(minor);
    assert.equal(minor.spec.kubernetes.version, '1.34.3');
    const none = gcpShoot();
    delete none.spec.kubernetes.version;
    admit(none);
    assert.equal(none.spec.kubernetes.version, '1.35.1');
  });

  it('does not let the region, the pods or a version backwards change', () => {
    const old = gcpShoot();
    admit(old);
    const changes: [RegExp, (shoot: KubeObject) => void][] = [
      [
        /spec.region: Invalid value: "europe-west1": field is immutable/,
        (shoot) => Object.assign(shoot.spec, { region: 'europe-west1' }),
      ],
      [/spec.networking.pods/, (shoot) => Object.assign(shoot.spec.networking, { pods: '100.96.0.0/12' })],
      [/downgrade is not supported/, (shoot) => Object.assign(shoot.spec.kubernetes, { version: '1.33.6' })],
      [/cannot skip a minor version/, (shoot) => Object.assign(shoot.spec.kubernetes, { version: '1.36.0' })],
    ];
    for (const [says, change] of changes) {
      const shoot = structuredClone(old);
      change(shoot);
      assert.match(refusalOf(() => admit(shoot, old)).message, says);
    }
  });

  it('does not delete a Shoot without the confirmation annotation', () => {
    const old = gcpShoot();
    const request = {
      operation: 'DELETE',
      object: undefined,
      old,
      user: { name: 'test', groups: [] },
      dryRun: false,
    } as const;
    const error = refusalOf(() => admitShoot(request, garden));
    assert.equal(error.code, 403);
    assert.match(error.message, /must have a "confirmation.gardener.cloud\/deletion" annotation to delete/);
    old.metadata.annotations = { 'confirmation.gardener.cloud/deletion': 'true' };
    admitShoot(request, garden);
  });

  it('counts the Shoots against a ResourceQuota', () => {
    const metadata = { name: 'limits', namespace: 'garden-dev' };
    garden.create('resourcequotas', { metadata, spec: { hard: { 'count/shoots.core.gardener.cloud': '0' } } });
    const error = refusalOf(() => admit(gcpShoot()));
    garden.remove('resourcequotas', metadata.namespace, metadata.name);
    assert.match(error.message, /exceeded quota: limits/);
    assert.equal(error.code, 403);
  });
});

function admit(object: KubeObject, old?: KubeObject): void {
  const user = { name: 'test', groups: [] };
  admitShoot({ operation: old ? 'UPDATE' : 'CREATE', object, old, user, dryRun: false }, garden);
}

function refusalOf(act: () => void): StatusError {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  assert.fail('it was accepted');
}
