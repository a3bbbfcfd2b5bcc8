import { contains, parseCidr } from './cidr.ts';
import { type FieldError, invalid, required } from './field-errors.ts';
import type { ProviderConfigs } from './provider-config.ts';
import { checkCidr } from './shoot-validation.ts';

/** The rules of the GCP extension. */
export function validateGcp({ spec, infrastructure, controlPlane }: ProviderConfigs): FieldError[] {
  const errors: FieldError[] = [];
  const networks = infrastructure.networks ?? {};
  const workers = networks.workers ?? networks.worker;
  if (!workers) {
    errors.push(required('networks.workers', 'must specify the network range for the worker network'));
  } else {
    const range = checkCidr('networks.workers', workers, errors);
    const nodes = parseCidr(spec.networking.nodes ?? '');
    if (range && nodes && !contains(nodes, range)) {
      errors.push(invalid('networks.workers', workers, `must be a subset of "networking.nodes" ("${nodes.text}")`));
    }
  }
  if (networks.internal) checkCidr('networks.internal', networks.internal, errors);
  if (networks.vpc && !networks.vpc.name)
    errors.push(invalid('networks.vpc.name', '', 'vpc name must not be empty when vpc key is provided'));
  if (networks.vpc?.name && !networks.vpc.cloudRouter?.name) {
    errors.push(invalid('networks.vpc.cloudRouter', null, 'cloud router must be defined when re-using a VPC'));
  }
  if (!controlPlane?.zone) {
    errors.push(required('spec.provider.controlPlaneConfig.zone', 'must provide the name of a zone in this region'));
  } else if (!spec.provider.workers.some(({ zones }: { zones?: string[] }) => zones?.includes(controlPlane.zone))) {
    errors.push(
      invalid(
        'spec.provider.controlPlaneConfig.zone',
        controlPlane.zone,
        'must be a zone that is used by at least one worker pool',
      ),
    );
  }
  spec.provider.workers.forEach((worker: { zones?: string[]; volume?: { type?: string } }, index: number) => {
    const path = `spec.provider.workers[${index}]`;
    if (!worker.zones?.length) errors.push(required(`${path}.zones`, 'at least one zone must be configured'));
    if (worker.volume?.type === 'SCRATCH')
      errors.push(invalid(`${path}.volume.type`, 'SCRATCH', 'type SCRATCH is not allowed as boot disk'));
  });
  return errors;
}
