import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillGarden } from '../../../landscape/garden/garden-content.ts';
import { gardenTypes } from '../../../landscape/garden/garden-types.ts';
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
garden.close();

const pool = (shoot: KubeObject) => shoot.spec.provider.workers[0];
const networks = (shoot: KubeObject) => shoot.spec.provider.infrastructureConfig.networks;
/** Two zones with a subnet each. */
const zonedAzure = () => {
  const shoot = azureShoot();
  const zones = [1, 2].map((name) => ({ name, cidr: `10.250.${name * 32}.0/19` }));
  shoot.spec.provider.infrastructureConfig.networks = { vnet: { cidr: '10.250.0.0/16' }, zones };
  return shoot;
};

interface Update {
  readonly what: string;
  readonly of: () => KubeObject;
  readonly change: (shoot: KubeObject) => void;
  /** Undefined: it is accepted. */
  readonly says?: RegExp;
}

// biome-ignore format: a table
const updates: readonly Update[] = [
  { what: 'an exposure class where there was none', of: gcpShoot, change: ({ spec }) => { spec.exposureClassName = 'internet'; }, says: /spec\.exposureClassName: Invalid value: "internet": field is immutable/ },
  { what: 'another SecretBinding', of: gcpShoot, change: ({ spec }) => { spec.secretBindingName = 'other'; }, says: /secretBindingName/ },
  { what: 'a larger network on GCP', of: gcpShoot, change: (shoot) => { networks(shoot).workers = '10.250.0.0/20'; shoot.spec.networking.nodes = '10.250.0.0/20'; } },
  { what: 'another network on GCP', of: gcpShoot, change: (shoot) => { networks(shoot).workers = '10.250.0.0/23'; }, says: /networks\.workers: Invalid value: "10\.250\.0\.0\/23": field is immutable/ },
  { what: 'one more zone of a pool', of: gcpShoot, change: (shoot) => pool(shoot).zones.push('europe-west3-b') },
  { what: 'another order of zones', of: azureShoot, change: (shoot) => { pool(shoot).zones = ['2', '1', '3']; }, says: /spec\.provider\.workers\[0\]\.zones: .*field is immutable/ },
  { what: 'fewer zones', of: azureShoot, change: (shoot) => pool(shoot).zones.pop(), says: /spec\.provider\.workers\[0\]\.zones: .*field is immutable/ },
  { what: 'a larger vnet on Azure', of: azureShoot, change: (shoot) => { networks(shoot).vnet.cidr = '10.248.0.0/14'; } },
  { what: 'a smaller vnet on Azure', of: azureShoot, change: (shoot) => { networks(shoot).vnet.cidr = '10.250.0.0/17'; }, says: /networks\.vnet\.cidr: .*field is immutable|must be a subset/ },
  { what: 'no zones any more on Azure', of: azureShoot, change: (shoot) => { shoot.spec.provider.infrastructureConfig.zoned = false; pool(shoot).zones = undefined; }, says: /infrastructureConfig\.zoned: .*field is immutable/ },
  { what: 'another subnet of a zone on Azure', of: zonedAzure, change: (shoot) => { networks(shoot).zones[1].cidr = '10.250.96.0/19'; }, says: /networks\.zones\[1\]\.cidr: .*field is immutable/ },
  { what: 'one zone less on Azure', of: zonedAzure, change: (shoot) => networks(shoot).zones.pop(), says: /networks\.zones: Forbidden: removing zones is not allowed/ },
  { what: 'another vpc on AWS', of: awsShoot, change: (shoot) => { networks(shoot).vpc.cidr = '10.248.0.0/14'; }, says: /networks\.vpc\.cidr: .*field is immutable/ },
  { what: 'another subnet of a zone on AWS', of: awsShoot, change: (shoot) => { networks(shoot).zones[0].public = '10.250.64.0/20'; }, says: /networks\.zones\[0\]\.public: .*field is immutable/ },
  { what: 'another network on OpenStack', of: openstackShoot, change: (shoot) => { networks(shoot).workers = '10.250.0.0/23'; }, says: /networks: .*field is immutable/ },
];

describe('an update of a Shoot', () => {
  for (const { what, of, change, says } of updates) {
    it(`${says ? 'is refused' : 'is accepted'}: ${what}`, () => {
      const old = of();
      admit(old);
      const shoot = structuredClone(old);
      change(shoot);
      if (!says) return admit(shoot, old);
      assert.throws(
        () => admit(shoot, old),
        (error) => error instanceof StatusError && error.code === 422 && says.test(error.message),
      );
    });
  }
});

function admit(object: KubeObject, old?: KubeObject): void {
  const user = { name: 'test', groups: [] };
  admitShoot({ operation: old ? 'UPDATE' : 'CREATE', object, old, user, dryRun: false }, garden);
}
