import { Failure } from '../../domain/failures.ts';
import { isRecord } from '../../domain/json.ts';
import type { KymaConfig } from '../../domain/kyma-config.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { ArtifactReference, Artifacts } from '../artifacts.ts';
import { type ConfiguredSecret, configuredSpec } from './configure-resource.ts';
import { findDefinition, specSchema } from './custom-resource-schema.ts';
import type { ModulesPlan, PlannedModule } from './modules-plan.ts';
import { leaveReplicasToAutoscalers, prepareObject } from './prepare-object.ts';

/** A planned module with its manifest as it is applied. */
export interface LoadedModule {
  readonly planned: PlannedModule;
  readonly manifest: readonly KubernetesObject[];
}

/** What is applied does not depend on the cluster, so it is prepared once for all Runtimes of a release. */
const prepared = new WeakMap<readonly KubernetesObject[], readonly KubernetesObject[]>();

export async function loadModules(options: {
  readonly plan: ModulesPlan;
  readonly read: (manifest: ArtifactReference) => Promise<readonly KubernetesObject[]>;
}): Promise<readonly LoadedModule[]> {
  const { plan, read } = options;
  return Promise.all(
    plan.modules.map(async (planned): Promise<LoadedModule> => {
      const objects = await read(planned.manifest);
      let manifest = prepared.get(objects);
      if (!manifest) {
        manifest = leaveReplicasToAutoscalers(objects.map(prepareObject));
        prepared.set(objects, manifest);
      }
      return { planned, manifest };
    }),
  );
}

/**
 * The custom resource that switches a module on, with the caller's configuration merged into its `spec`, and the Secrets
 * that its confidential entries make up.
 */
export async function moduleResources(options: {
  readonly module: LoadedModule;
  readonly config: KymaConfig;
  readonly artifacts: Artifacts;
  readonly signal: AbortSignal;
}): Promise<{ readonly resource: KubernetesObject; readonly secrets: readonly KubernetesObject[] }> {
  const { module, config, artifacts, signal } = options;
  const { name: moduleName, defaultResource, resource, confidential } = module.planned;
  const defaults = await artifacts.objects(defaultResource, signal);
  const found = defaults.find(
    ({ apiVersion, kind, metadata }) =>
      apiVersion === resource.apiVersion && kind === resource.kind && metadata.name === resource.name,
  );
  if (!found) {
    const message = `the default resource of module ${moduleName} has no ${resource.kind} ${resource.name} of ${resource.apiVersion}`;
    throw new Failure('KYMA_ARTIFACT_INVALID', message);
  }
  const base = prepareObject(found);
  const { namespace: _, ...metadata } = base.metadata;
  const placed = resource.namespace === undefined ? metadata : { ...metadata, namespace: resource.namespace };
  const entries = config.components.find(({ component }) => component === moduleName)?.configuration ?? [];
  if (entries.length === 0) return { resource: { ...base, metadata: placed }, secrets: [] };
  const definition = findDefinition(module.manifest, resource);
  const schema = definition && specSchema(definition, resource.apiVersion);
  const { spec, secrets, mistakes } = configuredSpec(entries, schema, confidential);
  if (mistakes.length > 0) {
    const words = mistakes.map(({ message }) => message).join('; ');
    throw new Failure('KYMA_COMPONENT_INVALID', `the configuration of module ${moduleName} cannot be used: ${words}`);
  }
  return {
    resource: { ...base, metadata: placed, spec: merge(base.spec, spec) },
    secrets: secrets.map((secret) => secretObject(module.planned, secret)),
  };
}

/** Every Secret that confidential entries of a module can make up, by name and namespace only. */
export function mappedSecrets({ confidential, namespace, resource }: PlannedModule): readonly KubernetesObject[] {
  return confidential.map(({ name }) => ({
    ...{ apiVersion: 'v1', kind: 'Secret' },
    metadata: { name, namespace: resource.namespace ?? namespace },
  }));
}

/** Those of them that the entries of a configuration make up. */
export function configuredSecrets(module: PlannedModule, config: KymaConfig): readonly KubernetesObject[] {
  const entries = config.components.find(({ component }) => component === module.name)?.configuration ?? [];
  const isUsed = (keys: Readonly<Record<string, string>>) => entries.some(({ key }) => Object.hasOwn(keys, key));
  return mappedSecrets({ ...module, confidential: module.confidential.filter(({ keys }) => isUsed(keys)) });
}

function secretObject(
  { name: module, namespace, resource }: PlannedModule,
  { name, data }: ConfiguredSecret,
): KubernetesObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: Object.fromEntries(encoded) },
    metadata: { name, namespace: resource.namespace ?? namespace, labels: { 'kyma-project.io/module': module } },
  };
}

function merge(base: unknown, changes: Record<string, unknown>): Record<string, unknown> {
  const merged: Record<string, unknown> = isRecord(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(changes)) {
    merged[key] = isRecord(value) && isRecord(merged[key]) ? merge(merged[key], value) : value;
  }
  return merged;
}
