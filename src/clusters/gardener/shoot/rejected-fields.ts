import type { KubernetesError } from '../../../kubernetes/kubernetes-error.ts';
import type { Mistake } from '../checks/mistake.ts';

/** Fields of a Shoot and the input that each comes from; the first that fits counts. */
const origins: readonly (readonly [field: RegExp, path: string])[] = [
  [/^metadata\.name\b/, 'name'],
  [/^spec\.region\b/, 'region'],
  [/^spec\.purpose\b/, 'purpose'],
  [/^spec\.seedName\b/, 'seed'],
  [/^spec\.kubernetes\.version\b/, 'kubernetesVersion'],
  [/^spec\.credentialsBindingName\b/, 'targetSecret'],
  [/^spec\.networking\.pods\b/, 'podsCidr'],
  [/^spec\.networking\.services\b/, 'servicesCidr'],
  [/^spec\.networking\.nodes\b/, 'workerCidr'],
  [/^spec\.provider\.workers\[0\]\.machine\.image\b/, 'machineImage'],
  [/^spec\.provider\.workers\[0\]\.machine\b/, 'machineType'],
  [/^spec\.provider\.workers\[0\]\.volume\.size\b/, 'volumeSizeGB'],
  [/^spec\.provider\.workers\[0\]\.volume\b/, 'diskType'],
  [/^spec\.provider\.workers\[0\]\.minimum\b/, 'autoScalerMin'],
  [/^spec\.provider\.workers\[0\]\.maximum\b/, 'autoScalerMax'],
  [/^spec\.exposureClassName\b/, 'exposureClassName'],
  [/^spec\.seedSelector\b/, 'shootAndSeedSameRegion'],
  [/^spec\.accessRestrictions\b/, 'euAccess'],
  [/^spec\.controlPlane\b/, 'controlPlaneFailureTolerance'],
  [/^spec\.dns\b/, 'dnsConfig'],
  [/^spec\.kubernetes\.kubeAPIServer\.structuredAuthentication\b/, 'oidcConfig'],
  [/^spec\.provider\.workers\[0\]\.zones\b/, 'providerSpecificConfig'],
  [/^spec\.provider\.(infrastructureConfig|controlPlaneConfig)\b/, 'providerSpecificConfig'],
];

/** How Gardener names what a Shoot refers to when it does not exist, and the input that refers to it. */
const references: readonly (readonly [words: RegExp, path: string])[] = [
  [/\bcredentialsbinding(s|\.security\.gardener\.cloud)? "/i, 'targetSecret'],
  [/\bseeds?(\.core\.gardener\.cloud)? "/i, 'seed'],
  [/\bexposureclass(es|\.core\.gardener\.cloud)? "/i, 'exposureClassName'],
];

/** What Gardener found, in its words, each at the input that it is about. */
export function rejectedFields(error: KubernetesError): readonly Mistake[] {
  const causes = error.causes.filter(({ message }) => message !== '');
  if (causes.length === 0) return [{ path: originIn(error.message), message: error.message }];
  return causes.map(({ field = '', message }) => ({
    path: originOf(field),
    message: field === '' ? message : `${field}: ${message}`,
  }));
}

function originOf(field: string): string {
  return origins.find(([pattern]) => pattern.test(field))?.[1] ?? '';
}

/** The field, or the missing object, that a 403 names in its text, when it names one. */
function originIn(message: string): string {
  const field = /\bspec\.[\w.[\]]+/.exec(message)?.[0];
  if (field !== undefined) return originOf(field);
  return references.find(([words]) => words.test(message))?.[1] ?? '';
}
