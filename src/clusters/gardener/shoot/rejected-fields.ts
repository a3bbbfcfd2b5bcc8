import type { Problem } from '../../../domain/failures.ts';
import type { KubernetesError } from '../../../kubernetes/kubernetes-error.ts';
import type { Mistake } from '../checks/mistake.ts';

/** Fields of a Shoot and the input that each comes from; the first that fits counts. */
const origins: readonly (readonly [field: RegExp, path: string])[] = [
  [/^metadata\.name\b/, 'name'],
  [/^spec\.region\b/, 'region'],
  [/^spec\.purpose\b/, 'purpose'],
  [/^spec\.seedName\b/, 'seed'],
  [/^spec\.kubernetes\.version\b/, 'kubernetesVersion'],
  [/^spec\.(credentialsBindingName|secretBindingName)\b/, 'targetSecret'],
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
  [/\b(credentials|secret)binding(s|\.(security|core)\.gardener\.cloud)? "/i, 'targetSecret'],
  [/\breferenced (credentials|secret)binding\b/i, 'targetSecret'],
  [/\b(namespaced)?cloudprofile(s|\.core\.gardener\.cloud)? "/i, 'providerSpecificConfig'],
  [/\bseeds?(\.core\.gardener\.cloud)? "/i, 'seed'],
  [/\bexposureclass(es|\.core\.gardener\.cloud)? "/i, 'exposureClassName'],
  // The webhooks of the clouds name fields from where their own configuration begins.
  [/\[networks\.workers: /, 'workerCidr'],
  [/\[networks\.(vnet|vpc|zones|natGateway)\b/, 'providerSpecificConfig'],
];

/** What Gardener found, in its words, each at the input that it is about. `pool`: where our worker pool stands. */
export function rejectedFields(error: KubernetesError, pool = 0): readonly Mistake[] {
  const originOf = (field: string) => originAt(field, pool);
  const originIn = (message: string) => originInText(message, pool);
  const causes = error.causes.filter(({ message }) => message !== '');
  if (causes.length === 0) {
    const listed = findings(error.message);
    if (listed.length > 1) return listed.map((message) => ({ path: originIn(message), message }));
    return [{ path: originIn(error.message), message: error.message }];
  }
  return causes.map(({ field = '', message }) => ({
    path: originOf(field),
    message: field === '' ? message : `${field}: ${message}`,
  }));
}

/**
 * What Gardener found, without what was found in the CloudProfile, too, and is told there with more help. All paths are
 * below `root`, and that of Gardener may be less exact.
 */
export function withoutEchoes(found: readonly Problem[], known: readonly Problem[], root: string): readonly Problem[] {
  return found.filter(({ path }) => path === root || !known.some((other) => other.path.startsWith(path)));
}

/** An admission plug-in lists what it found as `[spec.region: ..., spec.provider...: ...]`, in one text. */
function findings(message: string): readonly string[] {
  const [, list] = /: \[(spec\.[^\s:]+: .*)\]$/s.exec(message) ?? [];
  return list === undefined ? [] : list.split(/, (?=spec\.[\w.[\]]+: )/);
}

function originAt(field: string, pool: number): string {
  const ofOurs = field.replace(/^spec\.provider\.workers\[(\d+)\]/, (whole, index) =>
    Number(index) === pool ? 'spec.provider.workers[0]' : whole.replace('[', '[not ours '),
  );
  return origins.find(([pattern]) => pattern.test(ofOurs))?.[1] ?? '';
}

/** The field, or the missing object, that a 403 names in its text, when it names one. */
function originInText(message: string, pool: number): string {
  const field = /\bspec\.[\w.[\]]+/.exec(message)?.[0];
  const origin = field === undefined ? '' : originAt(field, pool);
  return origin || (references.find(([words]) => words.test(message))?.[1] ?? '');
}
