import { Failure } from '../../domain/failures.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { ArtifactReference, Artifacts } from '../artifacts.ts';
import { prepareObject } from '../modules/prepare-object.ts';
import { isInstallation } from './installation-resource.ts';
import type { InstallerPlan } from './installer-plan.ts';

/** The installer's own Deployment, as every release of Kyma 1 names it. */
export const installerDeployment = { name: 'kyma-installer', namespace: 'kyma-installer' } as const;

/** What a release consists of, sorted by when it is applied. */
export interface ReleaseObjects {
  readonly tiller: readonly KubernetesObject[];
  /** Everything of the installer but its Deployment and the Installation. */
  readonly foundation: readonly KubernetesObject[];
  readonly deployment: KubernetesObject;
  /** The Installation as the release brings it, with components of its own. */
  readonly installation: KubernetesObject;
}

/** Throws KYMA_ARTIFACT_INVALID for a release that is not what it should be. */
export async function releaseObjects({
  plan: { release, installer, tiller },
  artifacts,
  signal,
}: {
  readonly plan: InstallerPlan;
  readonly artifacts: Artifacts;
  readonly signal: AbortSignal;
}): Promise<ReleaseObjects> {
  const read = async (reference: ArtifactReference) => (await artifacts.objects(reference, signal)).map(prepareObject);
  const [objects, tillers] = await Promise.all([read(installer), tiller ? read(tiller) : []]);
  const { deployment, installation } = installerIn({ objects, url: installer.url, release });
  const foundation = objects.filter((object) => object !== deployment && object !== installation);
  return { tiller: tillers, foundation, deployment, installation };
}

/** What makes a manifest that of an installer. Throws KYMA_ARTIFACT_INVALID for one that is not. */
export function installerIn({
  objects,
  url,
  release,
}: {
  readonly objects: readonly KubernetesObject[];
  /** Where they are from, in the message. */
  readonly url: string;
  readonly release: string;
}): Pick<ReleaseObjects, 'deployment' | 'installation'> {
  const deployment = objects.find(isInstaller);
  const [installation, ...more] = objects.filter(isInstallation);
  if (!deployment || !installation || more.length > 0) {
    const message = `the installer of Kyma ${release} (${url}) has no Deployment kyma-installer/kyma-installer, or not exactly one Installation`;
    throw new Failure('KYMA_ARTIFACT_INVALID', message);
  }
  return { deployment, installation };
}

function isInstaller({ kind, metadata }: KubernetesObject): boolean {
  const { name, namespace } = installerDeployment;
  return kind === 'Deployment' && metadata.name === name && metadata.namespace === namespace;
}
