import { providers } from '../providers/providers.ts';
import {
  identity,
  infrastructure,
  kubernetesVersion,
  maintenance,
  networking,
  placement,
  workers,
} from './extenders.ts';
import { merge } from './merge.ts';
import {
  authentication,
  dns,
  euAccess,
  extensions,
  highAvailability,
  podSecurity,
  seedSelection,
} from './option-extenders.ts';
import type { ShootManifest } from './shoot.ts';
import type { ShootExtender, ShootRequest } from './shoot-extender.ts';
import { auditLog, auditPolicy } from './shoot-policy.ts';

const all: readonly ShootExtender[] = [
  identity,
  placement,
  kubernetesVersion,
  networking,
  infrastructure,
  workers,
  maintenance,
  seedSelection,
  euAccess,
  highAvailability,
  dns,
  authentication,
  podSecurity,
  extensions,
  auditPolicy,
  auditLog,
];

/** The Shoot for an order that `checkGardenerConfig` found no mistake in. */
export function shootManifest(request: ShootRequest): ShootManifest {
  const context = { ...request, provider: providers[request.order.cluster.config.provider] };
  return merge(all.map((extend) => extend(context))) as ShootManifest;
}
