import type { GardenerProvider } from '../../../domain/gardener-config.ts';
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { gcp } from './gcp.ts';
import { openstack } from './openstack.ts';
import type { ProviderSupport } from './provider-support.ts';

/** A provider that is forgotten here does not compile. */
export const providers: Readonly<Record<GardenerProvider, ProviderSupport>> = {
  gcp,
  azure,
  aws,
  openstack,
};
