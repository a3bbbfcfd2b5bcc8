import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { AdmissionRequest, KubeObject } from '../kubernetes/resource-type.ts';
import { forbidden, internal, invalid, StatusError } from '../kubernetes/status-error.ts';
import { profileSpec } from './cloud-profiles.ts';
import { confirmDeletion, noteConfirmation } from './deletion-confirmation.ts';
import { unregisteredExtensions } from './extension-validation.ts';
import { type FieldError, forbidden as forbiddenField, invalid as invalidField, listErrors } from './field-errors.ts';
import type { GardenAge } from './garden-age.ts';
import { validateAgainstProfile } from './profile-validation.ts';
import { projectOf } from './project.ts';
import { validateProviderConfig } from './provider-config.ts';
import { takeDefaultsOfSeed } from './scheduler.ts';
import { defaultShoot } from './shoot-defaults.ts';
import { validateShootUpdate } from './shoot-immutability.ts';
import { validateShoot } from './shoot-validation.ts';

export const operationAnnotation = 'gardener.cloud/operation';

interface ProviderQuestion {
  readonly shoot: KubeObject;
  readonly old: KubeObject | undefined;
  readonly profile: KubeObject | undefined;
}

const shoots = { group: 'core.gardener.cloud', plural: 'shoots' };
const shootKind = { group: 'core.gardener.cloud', kind: 'Shoot' };
const nameLimit = 21;

/**
 * Everything that Gardener's API server asks of a Shoot, in its order: defaults, which need the CloudProfile (403 when
 * there is none), static validation (422), references and plugins (403, also for mere mistakes in fields), then the provider's webhook (422). The same for a dry run.
 */
export function admitShoot(request: AdmissionRequest, garden: KubernetesApi, age: GardenAge = 'today'): void {
  const { operation, object: shoot, old } = request;
  if (operation === 'DELETE') confirmDeletion(request, garden);
  if (operation === 'DELETE' || !shoot) return;
  noteConfirmation(request);
  const name = shoot.metadata.name ?? shoot.metadata.generateName ?? '';
  if (!shoot.spec)
    throw invalid(shootKind, name, [{ reason: 'FieldValueRequired', field: 'spec', detail: 'must specify a spec' }]);
  if (operation === 'CREATE') delete shoot.status;
  // Metadata of a Shoot that is going away (finalizers, annotations) must stay writable.
  if (old?.metadata.deletionTimestamp && JSON.stringify(old.spec) === JSON.stringify(shoot.spec)) return;
  const profile = findProfile(shoot, garden);
  if (!old && shoot.spec.cloudProfile && shoot.spec.cloudProfileName) {
    throw forbidden(shoots, name, 'new shoot can only specify either cloudProfileName or cloudProfile reference');
  }
  defaultShoot(shoot, old, profile && profileSpec(profile), age);
  refuse(shootKind, name, [...validateShoot(shoot, age), ...(old ? validateShootUpdate(old, shoot) : [])]);
  checkReferences(shoot, garden);
  checkProject(shoot, old, garden);
  if (profile) {
    const findings = validateAgainstProfile(shoot, old, profileSpec(profile), bindingOf(shoot, garden));
    if (findings.length > 0) throw forbidden(shoots, name, listErrors(findings));
  }
  checkExtensions(shoot, old, garden);
  checkTolerations(shoot, old, garden);
  checkSeedName(shoot, old, garden);
  checkHibernation(shoot, old);
  askProvider({ shoot, old, profile });
}

function refuse(kind: typeof shootKind, name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, name, errors);
}

/** Undefined when the Shoot names none. The plugin that looks for it comes before everything else. */
function findProfile({ metadata, spec }: KubeObject, garden: KubernetesApi): KubeObject | undefined {
  const name = spec.cloudProfile?.name ?? spec.cloudProfileName;
  if (typeof name !== 'string') return undefined;
  const kind = spec.cloudProfile?.kind ?? 'CloudProfile';
  const isOwn = kind === 'NamespacedCloudProfile';
  const found = isOwn
    ? garden.read('namespacedcloudprofiles', metadata.namespace, name)
    : garden.read('cloudprofiles', undefined, name);
  const whole = isOwn ? found?.status?.cloudProfileSpec : found?.spec;
  if (found && whole) return { ...found, spec: whole };
  const words = 'could not find cloudProfileSpec from the shoot cloudProfile reference';
  throw forbidden(shoots, metadata.name, `${words}: ${kind.toLowerCase()}.core.gardener.cloud "${name}" not found`);
}

function bindingOf(shoot: KubeObject, garden: KubernetesApi): KubeObject | undefined {
  const { credentialsBindingName, secretBindingName } = shoot.spec;
  const { namespace } = shoot.metadata;
  if (credentialsBindingName) return garden.read('credentialsbindings', namespace, credentialsBindingName);
  return secretBindingName ? garden.read('secretbindings', namespace, secretBindingName) : undefined;
}

function checkReferences(shoot: KubeObject, garden: KubernetesApi): void {
  const { name, namespace = '' } = shoot.metadata;
  const refuseMissing = (resource: string, missing: string) =>
    forbidden(shoots, name, `${resource} "${missing}" not found`);
  const { credentialsBindingName, secretBindingName, dns, exposureClassName, kubernetes } = shoot.spec;
  if (credentialsBindingName && !bindingOf(shoot, garden)) {
    throw refuseMissing('credentialsbinding.security.gardener.cloud', credentialsBindingName);
  }
  if (secretBindingName && !bindingOf(shoot, garden)) {
    throw refuseMissing('secretbinding.core.gardener.cloud', secretBindingName);
  }
  if (exposureClassName && !garden.read('exposureclasses', undefined, exposureClassName)) {
    throw refuseMissing('exposureclass.core.gardener.cloud', exposureClassName);
  }
  const { structuredAuthentication, structuredAuthorization, auditConfig } = kubernetes.kubeAPIServer ?? {};
  for (const configMap of [
    structuredAuthentication?.configMapName,
    structuredAuthorization?.configMapName,
    auditConfig?.auditPolicy?.configMapRef?.name,
  ]) {
    if (configMap && !garden.read('configmaps', namespace, configMap)) throw refuseMissing('configmaps', configMap);
  }
  checkAuditPolicy(name, namespace, auditConfig?.auditPolicy?.configMapRef?.name, garden);
  for (const { resourceRef } of shoot.spec.resources ?? []) {
    const plural = { ConfigMap: 'configmaps', Secret: 'secrets' }[String(resourceRef?.kind)];
    if (plural && !garden.read(plural, namespace, resourceRef.name)) throw refuseMissing(plural, resourceRef.name);
  }
  for (const { credentialsRef, secretName } of dns?.providers ?? []) {
    const secret = credentialsRef?.kind === 'Secret' ? credentialsRef.name : secretName;
    if (secret && !garden.read('secrets', namespace, secret)) throw refuseMissing('secrets', secret);
  }
  if (structuredAuthentication?.configMapName) {
    checkAuthentication(name, garden.read('configmaps', namespace, structuredAuthentication.configMapName));
  }
}

/** The webhook that reads the audit policy. */
function checkAuditPolicy(
  shoot: string | undefined,
  namespace: string,
  configMap: string | undefined,
  garden: KubernetesApi,
): void {
  if (configMap === undefined) return;
  if (typeof garden.read('configmaps', namespace, configMap)?.data?.policy === 'string') return;
  throw new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `admission webhook "audit-policies.gardener.cloud" denied the request: missing audit policy key in ${namespace}/${configMap} ConfigMap data for Shoot ${shoot}`,
  });
}

/** The webhook that reads the authentication configuration. */
function checkAuthentication(shoot: string | undefined, configMap: KubeObject | undefined): void {
  const refusal = (words: string) => {
    const message = `admission webhook "authentication-configuration.gardener.cloud" denied the request: ${words}`;
    return new StatusError({ code: 422, reason: 'Invalid', message });
  };
  const text: unknown = configMap?.data?.['config.yaml'];
  const place = `${configMap?.metadata.namespace}/${configMap?.metadata.name}`;
  if (typeof text !== 'string') throw refusal(`missing authentication configuration key in ${place} ConfigMap data`);
  const config = parse(text);
  if (config?.kind !== 'AuthenticationConfiguration' || !config.jwt?.[0]?.issuer?.url) {
    throw refusal(`provided invalid authentication configuration for Shoot ${shoot}`);
  }
}

function checkProject(shoot: KubeObject, old: KubeObject | undefined, garden: KubernetesApi): void {
  const { name, generateName, namespace } = shoot.metadata;
  const project = garden.list('projects').find(({ spec }) => spec.namespace === namespace);
  if (!project) throw internal(`could not find referenced project: no project uses namespace "${namespace}"`);
  if (old) return;
  const projectName = project.metadata.name ?? '';
  // A dry run of a generated name comes with a name that the API server has already chosen.
  const [length, limit, words] = generateName
    ? [
        generateName.length,
        nameLimit - 5,
        `shoot generateName and the project name must not exceed ${nameLimit - 5} characters (project: ${projectName}; shoot with generateName: ${generateName})`,
      ]
    : [
        (name ?? '').length,
        nameLimit,
        `shoot name and the project name must not exceed ${nameLimit} characters (project: ${projectName}; shoot: ${name})`,
      ];
  if (projectName.length + length > limit)
    throw invalid(shootKind, name ?? '', [invalidField('name', name, `the length of the ${words}`)]);
  checkQuota(shoot, garden);
}

/** A ResourceQuota `count/shoots.core.gardener.cloud` in the project's namespace caps the number of Shoots. */
function checkQuota(shoot: KubeObject, garden: KubernetesApi): void {
  const { name, namespace } = shoot.metadata;
  for (const quota of garden.list('resourcequotas', { namespace })) {
    const hard = quota.spec?.hard?.['count/shoots.core.gardener.cloud'];
    if (hard === undefined) continue;
    const used = garden.list('shoots', { namespace }).length;
    if (used < Number(hard)) continue;
    const resource = 'count/shoots.core.gardener.cloud';
    throw forbidden(
      shoots,
      name,
      `exceeded quota: ${quota.metadata.name}, requested: ${resource}=1, used: ${resource}=${used}, limited: ${resource}=${hard}`,
    );
  }
}

function checkSeedName(shoot: KubeObject, old: KubeObject | undefined, garden: KubernetesApi): void {
  const { seedName } = shoot.spec;
  const { name } = shoot.metadata;
  if (old && old.spec.seedName !== seedName) {
    throw forbidden(
      shoots,
      name,
      `spec.seedName '${old.spec.seedName ?? 'nil'}' cannot be changed to '${seedName}' by patching the shoot, please use the shoots/binding subresource`,
    );
  }
  if (!old && seedName && !garden.read('seeds', undefined, seedName)) {
    throw forbidden(shoots, name, `seed.core.gardener.cloud "${seedName}" not found`);
  }
  // A Shoot that comes with its seed is never bound to one.
  if (!old && seedName) takeDefaultsOfSeed(shoot.spec, name ?? '', projectOf(garden, shoot.metadata.namespace ?? ''));
}

function checkHibernation(shoot: KubeObject, old: KubeObject | undefined): void {
  if (!shoot.spec.hibernation?.enabled || old?.spec.hibernation?.enabled) return;
  const constraint = old?.status?.constraints?.find(({ type }: { type: string }) => type === 'HibernationPossible');
  if (!constraint || constraint.status === 'True') return;
  throw forbidden(
    shoots,
    shoot.metadata.name,
    `'HibernationPossible' constraint is '${constraint.status}': ${constraint.message}`,
  );
}

function checkExtensions(shoot: KubeObject, old: KubeObject | undefined, garden: KubernetesApi): void {
  if (old && isDeepStrictEqual(old.spec, shoot.spec)) return;
  const words = unregisteredExtensions(shoot, garden);
  if (words !== undefined) throw forbidden(shoots, shoot.metadata.name, words);
}

/** A project may tolerate only the taints that an operator has listed for it. */
function checkTolerations({ metadata, spec }: KubeObject, old: KubeObject | undefined, garden: KubernetesApi): void {
  if (old && isDeepStrictEqual(old.spec.tolerations, spec.tolerations)) return;
  const project = garden.list('projects').find((one) => one.spec.namespace === metadata.namespace);
  const allowed: { key: string }[] = project?.spec.tolerations?.whitelist ?? [];
  const tolerations: { key: string }[] = spec.tolerations ?? [];
  const refused = tolerations.flatMap(({ key }, index) =>
    allowed.some((one) => one.key === key)
      ? []
      : [
          forbiddenField(
            `spec.tolerations[${index}]`,
            `only the following tolerations are allowed: ${JSON.stringify(allowed)}`,
          ),
        ],
  );
  if (refused.length > 0) throw forbidden(shoots, metadata.name, listErrors(refused));
}

function askProvider({ shoot, old, profile }: ProviderQuestion): void {
  const profileConfig = profile?.spec.providerConfig;
  const finding = validateProviderConfig(shoot.spec, { old: old?.spec, profileConfig });
  if (!finding) return;
  const words = finding.kind === 'undecodable' ? finding.message : listErrors(finding.errors);
  throw new StatusError({
    code: 422,
    reason: '',
    message: `admission webhook "validation.provider-${shoot.spec.provider.type}.gardener.cloud" denied the request: ${words}`,
  });
}
