import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts';
import type { CloudProfiles } from './cloud-profile/cloud-profiles.ts';
import { extensionTypes } from './extension-types.ts';
import type { GardenerOrder } from './gardener-order.ts';
import { providers } from './providers/providers.ts';
import type { ShootSettings } from './shoot/shoot-extender.ts';
import type { ShootPolicy } from './shoot/shoot-policy.ts';
import { shootForms } from './shoot-forms.ts';

/** Decides, for each cluster, what whoever runs this service wants of it. */
export type FindShootPolicy = (order: GardenerOrder) => Promise<ShootPolicy>;

/** Looks up what a Shoot for an order depends on beside the order: in the Garden, and in this service's configuration. */
export function shootSettings({
  client,
  namespace,
  profiles,
  findPolicy,
  ...fixed
}: {
  client: KubernetesClient;
  namespace: string;
  installation: string | undefined;
  profiles: CloudProfiles;
  findPolicy: FindShootPolicy | undefined;
  autoUpdateKubernetesVersion: boolean;
  autoUpdateMachineImageVersion: boolean;
}): (order: GardenerOrder, signal: AbortSignal | undefined) => Promise<ShootSettings> {
  const findExtensionTypes = extensionTypes({ client });
  const findForms = shootForms({ client, namespace });
  return async (order, signal) => {
    const { config } = order.cluster;
    const [types, forms, profile, policy] = await Promise.all([
      findExtensionTypes(signal),
      findForms(config, signal),
      profiles.find(providers[config.provider].cloudProfile(config)),
      findPolicy?.(order),
    ]);
    return { namespace, ...fixed, extensionTypes: types, forms, cloudProfileKind: profile?.kind, policy };
  };
}
