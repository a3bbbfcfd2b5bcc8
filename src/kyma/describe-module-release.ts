import { readText } from '../domain/json.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-client.ts';
import type { ArtifactReference } from './artifacts.ts';
import type { ModuleRelease } from './catalogue-file.ts';
import { findDefinition } from './modules/custom-resource-schema.ts';

/** Where Kyma's modules live unless their manifest says something else. */
const usualNamespace = 'kyma-system';

/** A file of a release as it was fetched. */
export interface FetchedArtifact {
  readonly reference: ArtifactReference;
  readonly objects: readonly KubernetesObject[];
}

/**
 * What a catalogue says of a module, read from its manifest and its default custom resource. Throws an Error that says
 * what is missing, or which of several things has to be chosen.
 */
export function describeModuleRelease(options: {
  readonly version: string;
  readonly manifest: FetchedArtifact;
  readonly defaultResource: FetchedArtifact;
  readonly requires: readonly string[];
  /** The name of the manager's Deployment, when the manifest has several. */
  readonly manager?: string | undefined;
}): Omit<ModuleRelease, 'confidential'> {
  const { version, manifest, defaultResource, requires } = options;
  const manager = managerIn(manifest, options.manager);
  const namespace = manager.metadata.namespace ?? usualNamespace;
  const resource = resourceIn(manifest, defaultResource);
  const { apiVersion, kind, metadata } = resource.object;
  return {
    version,
    namespace,
    requires: [...requires],

    manifest: manifest.reference,
    defaultResource: defaultResource.reference,
    resource: {
      ...{ apiVersion, kind, name: metadata.name ?? '' },
      ...(resource.namespaced && { namespace: metadata.namespace ?? namespace }),
    },
    manager: { apiVersion: 'apps/v1', kind: 'Deployment', name: manager.metadata.name ?? '', namespace },
  };
}

function managerIn({ objects, reference }: FetchedArtifact, wanted: string | undefined): KubernetesObject {
  const deployments = objects.filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'Deployment');
  const names = deployments.map(({ metadata }) => metadata.name).join(', ') || 'none';
  const [found, ...others] = wanted ? deployments.filter(({ metadata }) => metadata.name === wanted) : deployments;
  if (!found) throw new Error(`${reference.url} has no Deployment ${wanted ?? 'of a manager'}; it has ${names}`);
  if (others.length > 0)
    throw new Error(`${reference.url} has several Deployments, say which is the manager: ${names}`);
  return found;
}

/** The one object in the default resource whose kind the manifest defines. */
function resourceIn(
  manifest: FetchedArtifact,
  { objects, reference }: FetchedArtifact,
): { readonly object: KubernetesObject; readonly namespaced: boolean } {
  const found = objects.flatMap((object) => {
    const definition = findDefinition(manifest.objects, object);
    return definition ? [{ object, namespaced: readText(definition, 'spec', 'scope') !== 'Cluster' }] : [];
  });
  const [first, ...others] = found;
  const kinds = objects.map(({ apiVersion, kind }) => `${kind} of ${apiVersion}`).join(', ') || 'nothing';
  if (!first) throw new Error(`${reference.url} has no object of a kind that the manifest defines; it has ${kinds}`);
  if (others.length > 0) throw new Error(`${reference.url} has several objects of kinds of the module: ${kinds}`);
  return first;
}
