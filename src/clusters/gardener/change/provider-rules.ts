import { isDeepStrictEqual } from 'node:util';
import type { AwsZone, AzureZone, GardenerProvider } from '../../../domain/gardener-config.ts';
import { isRecord, readPath, readRecords, readText } from '../../../domain/json.ts';
import type { Mistake } from '../checks/mistake.ts';
import { workerPool } from '../shoot/worker-pool.ts';
import { type ChangeSubject, type FieldRule, unchangeable } from './field-rule.ts';
import { type Draft, listWithin, put, within } from './shoot-draft.ts';
import { grow, grows, nodesPath } from './worker-cidr.ts';

const networks = ['spec', 'provider', 'infrastructureConfig', 'networks'] as const;
const at = (path: string) => `providerSpecificConfig.${path}`;
const onlyMore = 'zones can only be added, after those that there are';

/** Zones of the pool: those that it has stay, in their order; what is new comes after them. */
function poolZones(field: string): FieldRule {
  return {
    field,
    *mistakes({ before, after, provider }: ChangeSubject): Generator<Mistake> {
      const [old, wanted] = [provider.zones(before), provider.zones(after)];
      if (isDeepStrictEqual(wanted.slice(0, old.length), old)) return;
      yield unchangeable(field, old, wanted, onlyMore);
    },
    read: (shoot) => workerPool(shoot)?.zones,
    write(draft, { after, provider }) {
      const pool = workerPool(draft);
      const present = Array.isArray(pool?.zones) ? (pool.zones as unknown[]) : [];
      const added = provider.zones(after).filter((zone) => !present.includes(zone));
      if (pool && added.length > 0) pool.zones = [...present, ...added];
      return undefined;
    },
  };
}

/** Subnets of zones: those that there are keep their ranges, whoever made them. */
function zoneSubnets<Zone extends { readonly name: string | number }>(settings: {
  field: string;
  zones: (subject: ChangeSubject, which: 'before' | 'after') => readonly Zone[] | undefined;
  /** In the words of the infrastructureConfig. */
  ranges: (zone: Zone) => Readonly<Record<string, string>>;
  /** What a new zone gets beside them. */
  more?: (subject: ChangeSubject) => object;
}): FieldRule {
  const { field, zones, ranges, more } = settings;
  return {
    field,
    *mistakes(subject): Generator<Mistake> {
      const [before, after] = [zones(subject, 'before'), zones(subject, 'after')];
      for (const zone of before ?? []) {
        const same = after?.find(({ name }) => name === zone.name);
        for (const [kind, from] of Object.entries(ranges(zone))) {
          const to = same && ranges(same)[kind];
          if (to === undefined || to === from) continue;
          const message = `cannot change shoot network zone ${zone.name} ${kind} CIDR from ${from} to ${to}: a subnet in use cannot be changed by the cloud`;
          yield { path: field, message };
        }
      }
    },
    read: (shoot) => readPath(shoot, ...networks, 'zones'),
    write(draft, subject) {
      const wanted = zones(subject, 'after');
      if (!wanted) return undefined;
      const present = readRecords(draft, ...networks, 'zones');
      const added = wanted
        .filter(({ name }) => !present.some((one) => one.name === name))
        .map((zone) => ({ name: zone.name, ...ranges(zone), ...more?.(subject) }));
      if (added.length > 0) put(draft, [...networks, 'zones'], [...present, ...added]);
      return undefined;
    },
  };
}

/** A field of the provider's block that stays as it is. */
function fixed(
  field: string,
  read: (subject: ChangeSubject, which: 'before' | 'after') => unknown,
  because: string,
): FieldRule {
  return {
    field,
    *mistakes(subject): Generator<Mistake> {
      const [from, to] = [read(subject, 'before'), read(subject, 'after')];
      if (!isDeepStrictEqual(from, to)) yield unchangeable(field, from, to, because);
    },
    read: () => undefined,
    write: () => undefined,
  };
}

const gcp = [poolZones(at('gcpConfig.zones'))];

const awsVpc = fixed(
  at('awsConfig.vpcCidr'),
  (subject, which) => subject[which].providerSpecificConfig.awsConfig?.vpcCidr,
  'the network of a cluster on AWS stays as it was made',
);

const awsZones = zoneSubnets<AwsZone>({
  field: at('awsConfig.awsZones'),
  zones: (subject, which) => subject[which].providerSpecificConfig.awsConfig?.awsZones,
  ranges: ({ workerCidr, publicCidr, internalCidr }) => ({
    workers: workerCidr,
    public: publicCidr,
    internal: internalCidr,
  }),
});

const awsMetadata: FieldRule = {
  field: at('awsConfig.enableIMDSv2'),
  read: (shoot) =>
    readText(workerPool(shoot), 'providerConfig', 'instanceMetadataOptions', 'httpTokens') === 'required',
  write(draft, { after }) {
    const pool = workerPool(draft);
    const wanted = after.providerSpecificConfig.awsConfig?.enableIMDSv2;
    if (!pool || wanted === undefined || awsMetadata.read(draft) === wanted) return undefined;
    const config = within(pool, 'providerConfig');
    config.apiVersion ??= 'aws.provider.extensions.gardener.cloud/v1alpha1';
    config.kind ??= 'WorkerConfig';
    const options = within(config, 'instanceMetadataOptions');
    options.httpTokens = wanted ? 'required' : 'optional';
    // Two hops, so that Pods reach the service, too.
    options.httpPutResponseHopLimit ??= 2;
    return undefined;
  },
};

const azureVnet: FieldRule = {
  field: at('azureConfig.vnetCidr'),
  *mistakes({ before, after }): Generator<Mistake> {
    const [from, to] = [before, after].map(
      ({ providerSpecificConfig }) => providerSpecificConfig.azureConfig?.vnetCidr,
    );
    if (from === undefined || to === undefined || grows(from, to)) return;
    yield unchangeable(azureVnet.field, from, to, 'there are nodes in it, so that it can only be made larger');
  },
  read: (shoot) => readText(shoot, ...networks, 'vnet', 'cidr'),
  write(draft, { after, provider }) {
    const wanted = after.providerSpecificConfig.azureConfig?.vnetCidr;
    // A network that was there before the cluster has a name instead.
    if (wanted === undefined || readPath(draft, ...networks, 'vnet', 'cidr') === undefined) return undefined;
    grow(draft, [...networks, 'vnet', 'cidr'], wanted);
    grow(draft, nodesPath, provider.nodesCidr(after));
    return undefined;
  },
};

/** Whether there are zones, and whether they share one subnet, shows in the whole of the cluster's network. */
const azureForm = fixed(
  at('azureConfig'),
  ({ provider, ...subject }, which) => {
    const form = subject[which].providerSpecificConfig.azureConfig?.azureZones
      ? 'a subnet for each zone'
      : 'one subnet';
    return provider.zones(subject[which]).length === 0 ? 'no zones' : form;
  },
  'the network of a cluster on Azure stays as it was made',
);

const azureZones = zoneSubnets<AzureZone>({
  field: at('azureConfig.azureZones'),
  zones: (subject, which) => subject[which].providerSpecificConfig.azureConfig?.azureZones,
  ranges: ({ cidr }) => ({ cidr }),
  more: ({ after }) => {
    const { enableNatGateway, idleConnectionTimeoutMinutes: minutes } = after.providerSpecificConfig.azureConfig ?? {};
    if (enableNatGateway !== true) return {};
    return { natGateway: { enabled: true, ...(minutes !== undefined && { idleConnectionTimeoutMinutes: minutes }) } };
  },
});

/** At the network, or at each of its zones; addresses that somebody has given a gateway stay. */
function natGateway(field: string, key: string): FieldRule {
  return {
    field,
    read: (shoot) => {
      const found = natGateways(shoot).map((place) => readPath(place, 'natGateway', key));
      return found.every((value) => value === found[0]) ? found[0] : found;
    },
    write(draft, { after }) {
      const { enableNatGateway, idleConnectionTimeoutMinutes: minutes } =
        after.providerSpecificConfig.azureConfig ?? {};
      for (const place of natGateways(draft)) {
        if (enableNatGateway === true) {
          const gateway = within(place, 'natGateway');
          gateway.enabled = true;
          if (minutes !== undefined) gateway.idleConnectionTimeoutMinutes = minutes;
        } else if (enableNatGateway === false) delete place.natGateway;
      }
      return undefined;
    },
  };
}

function natGateways(shoot: object): readonly Draft[] {
  const zones = listWithin(shoot, ...networks, 'zones');
  const whole = readPath(shoot, ...networks);
  return zones.length > 0 ? zones : isRecord(whole) ? [whole] : [];
}

const openStackBlock = (['floatingPoolName', 'loadBalancerProvider', 'cloudProfileName'] as const).map((name) =>
  fixed(
    at(`openStackConfig.${name}`),
    (subject, which) => subject[which].providerSpecificConfig.openStackConfig?.[name],
    'it is chosen when the cluster is made',
  ),
);

/** What may change in the block of each cloud. A cloud that is forgotten here does not compile. */
export const providerRules: Readonly<Record<GardenerProvider, readonly FieldRule[]>> = {
  gcp,
  aws: [awsVpc, awsZones, poolZones(at('awsConfig.awsZones')), awsMetadata],
  azure: [
    azureForm,
    azureVnet,
    azureZones,
    poolZones(at('azureConfig.azureZones')),
    poolZones(at('azureConfig.zones')),
    natGateway(at('azureConfig.enableNatGateway'), 'enabled'),
    natGateway(at('azureConfig.idleConnectionTimeoutMinutes'), 'idleConnectionTimeoutMinutes'),
  ],
  openstack: [...openStackBlock, poolZones(at('openStackConfig.zones'))],
};
