import { createHash } from 'node:crypto';
import type { WebRequest, WebResponse } from '../web-server.ts';
import { jsonResponse } from '../web-server.ts';
import { type KymaOneRelease, kymaOneReleases } from './kyma-1-releases.ts';
import {
  defaultResource,
  group,
  type ModuleDefinition,
  managerManifest,
  moduleDefinitions,
  namespace,
} from './module-manifests.ts';

/** Which version of each module a release holds. The newest one has no channel: Runtimes get it by an upgrade. */
const releases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1.0.0': { istio: '1.10.2', 'application-connector': '1.1.5', 'api-gateway': '2.6.0', serverless: '1.5.1' },
  '1.1.0': { istio: '1.11.0', 'application-connector': '1.2.0', 'api-gateway': '2.7.1', serverless: '1.6.0' },
  '1.2.0': { istio: '1.12.0', 'application-connector': '1.2.0', 'api-gateway': '3.0.0', serverless: '1.7.0' },
};
const channels = { regular: '1.0.0', fast: '1.1.0' };
const minimal = ['istio', 'application-connector'];

interface Artifact {
  readonly url: string;
  readonly sha256: string;
}

/** The release artifacts of the landscape's Kyma modules, and the catalogue that lists them. */
export class Artifacts {
  readonly #files = new Map<string, Buffer>();

  /** The catalogue file's content, which is published, too; every address in it begins with `url`. */
  catalogue(url: string): object {
    const catalogue = this.#catalogue(url);
    this.#publish(url, '/artifacts/kyma-catalogue.json', JSON.stringify(catalogue));
    return catalogue;
  }

  #catalogue(url: string): object {
    return {
      description:
        "The landscape's own catalogue: modules that it plays by scripts. None of them is a real Kyma module.",
      channels,
      releases: Object.fromEntries(
        Object.entries(releases).map(([release, versions]) => [
          release,
          {
            modules: Object.fromEntries(
              moduleDefinitions.map((definition) => [
                definition.name,
                this.#entry(definition, versions[definition.name] ?? '', url),
              ]),
            ),
            minimal,
          },
        ]),
      ),
      installerReleases: Object.fromEntries(kymaOneReleases.map((each) => [each.version, this.#kymaOne(each, url)])),
    };
  }

  /** `GET /artifacts/<module>/<version>/<file>`. */
  handle(request: WebRequest): WebResponse {
    const content = this.#files.get(request.path);
    if (!content) return jsonResponse(404, { error: `no such artifact: ${request.path}` });
    return { status: 200, headers: { 'content-type': 'application/yaml' }, body: content };
  }

  /** Serves other bytes than the catalogue promises: for tests of the digest check. */
  corrupt(path: string): boolean {
    const content = this.#files.get(path);
    if (content) this.#files.set(path, Buffer.concat([content, Buffer.from('# changed\n')]));
    return content !== undefined;
  }

  #kymaOne({ version, components, minimal, installer, tiller }: KymaOneRelease, url: string): object {
    const publish = (file: string, content: string) =>
      this.#publish(url, `/artifacts/kyma/${version}/${file}`, content);
    return {
      installer: publish('kyma-installer-cluster.yaml', installer),
      ...(tiller !== undefined && { tiller: publish('tiller.yaml', tiller) }),
      ...{ components, minimal },
    };
  }

  #entry(definition: ModuleDefinition, version: string, url: string): object {
    const {
      name,
      kind,
      version: apiVersion,
      resourceName,
      resourceNamespace,
      manager,
      requires,
      confidential,
    } = definition;
    const publish = (file: string, content: string) =>
      this.#publish(url, `/artifacts/${name}/${version}/${file}`, content);
    return {
      version,
      namespace,
      requires,
      ...(confidential && { confidential }),
      manifest: publish(definition.manifestFile, managerManifest(definition, version)),
      defaultResource: publish(definition.resourceFile, defaultResource(definition)),
      resource: {
        apiVersion: `${group}/${apiVersion}`,
        kind,
        name: resourceName,
        ...(resourceNamespace ? { namespace: resourceNamespace } : {}),
      },
      manager: { apiVersion: 'apps/v1', kind: 'Deployment', name: manager, namespace },
    };
  }

  #publish(url: string, path: string, content: string): Artifact {
    const bytes = Buffer.from(content);
    this.#files.set(path, bytes);
    return { url: `${url}${path}`, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
}
