import { contains, parseCidr } from './cidr.ts';
import { type FieldError, invalid, notSupported, required } from './field-errors.ts';
import type { ProviderConfigs } from './provider-config.ts';
import { checkCidr } from './shoot-validation.ts';

const infrastructurePath = 'spec.provider.infrastructureConfig';
const controlPlanePath = 'spec.provider.controlPlaneConfig';

/** The rules of the OpenStack extension. */
export function validateOpenstack({
  spec,
  infrastructure,
  controlPlane,
  profileConfig,
}: ProviderConfigs): FieldError[] {
  const errors: FieldError[] = [];
  const constraints = profileConfig?.constraints;
  const pools = namesIn(spec.region, constraints?.floatingPools);
  const pool: string | undefined = infrastructure.floatingPoolName;
  if (!pool) {
    errors.push(required(`${infrastructurePath}.floatingPoolName`, 'must provide the name of a floating pool'));
  } else if (!pools.some((offered) => matches(offered, pool))) {
    errors.push(notSupported(`${infrastructurePath}.floatingPoolName`, pool, pools));
  }
  const workers = infrastructure.networks?.workers ?? infrastructure.networks?.worker;
  if (!workers) {
    errors.push(required('networks.workers', 'must specify the network range for the worker network'));
  } else {
    const range = checkCidr('networks.workers', workers, errors);
    const nodes = parseCidr(spec.networking.nodes ?? '');
    if (range && nodes && !contains(nodes, range)) {
      errors.push(invalid('networks.workers', workers, `must be a subset of "networking.nodes" ("${nodes.text}")`));
    }
  }
  const balancers = namesIn(spec.region, constraints?.loadBalancerProviders);
  const balancer: string | undefined = controlPlane?.loadBalancerProvider;
  if (!balancer) {
    errors.push(
      required(`${controlPlanePath}.loadBalancerProvider`, 'must provide the name of a load balancer provider'),
    );
  } else if (!balancers.includes(balancer)) {
    errors.push(notSupported(`${controlPlanePath}.loadBalancerProvider`, balancer, balancers));
  }
  spec.provider.workers.forEach((worker: { zones?: string[] }, index: number) => {
    if (worker.zones?.length) return;
    errors.push(required(`spec.provider.workers[${index}].zones`, 'at least one zone must be configured'));
  });
  return errors;
}

/** Those of the region, or else those of every region. */
function namesIn(region: string, offered: readonly { name: string; region?: string }[] = []): readonly string[] {
  const regional = offered.filter((one) => one.region === region);
  return (regional.length > 0 ? regional : offered.filter((one) => one.region === undefined)).map(({ name }) => name);
}

/** `*` at the end stands for anything. */
function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
