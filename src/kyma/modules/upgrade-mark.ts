import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { UpgradeMark } from '../kyma-installer.ts';

/** What one module looks like. Digests, so that nothing of a custom resource is stored. */
const moduleMark = z.object({
  /** Of its manager; undefined: there was none. */
  manager: z.string().optional(),
  /** Of its custom resource; undefined: there was none. */
  resource: z.object({ version: z.string(), content: z.string(), status: z.string() }).optional(),
});

type ModuleMark = z.infer<typeof moduleMark>;

/** A module's manager and custom resource, as they are on the cluster. */
export interface ModuleObjects {
  readonly manager: KubernetesObject | undefined;
  readonly resource: KubernetesObject | undefined;
}

/** By the module's name. */
export function markModules(seen: ReadonlyMap<string, ModuleObjects>): UpgradeMark {
  return Object.fromEntries([...seen].map(([name, objects]) => [name, markOf(objects)]));
}

/**
 * True when a module's status is about the module as it is now: it was not touched since the mark, or its manager has
 * written to the custom resource since. A manager that found nothing to do writes nothing, so false proves nothing.
 */
export function isConfirmed(options: {
  readonly mark: UpgradeMark;
  readonly name: string;
  readonly objects: ModuleObjects;
}): boolean {
  const marks = z.record(z.string(), moduleMark).safeParse(options.mark);
  const before = marks.success ? marks.data[options.name] : undefined;
  if (before === undefined) return false;
  // Its status cannot be older than itself.
  if (before.resource === undefined) return true;
  const now = markOf(options.objects);
  if (now.resource === undefined) return false;
  const sameContent = now.resource.content === before.resource.content;
  if (sameContent && now.manager === before.manager) return true;
  if (now.resource.status !== before.resource.status) return true;
  return sameContent && now.resource.version !== before.resource.version;
}

function markOf({ manager, resource }: ModuleObjects): ModuleMark {
  if (resource === undefined) return { ...managerOf(manager) };
  const { status, metadata, ...content } = resource;
  const { resourceVersion = '', generation: _, managedFields: __, ...ownMetadata } = metadata;
  return {
    ...managerOf(manager),
    resource: { version: resourceVersion, content: digest({ ...content, ownMetadata }), status: digest(status) },
  };
}

function managerOf(manager: KubernetesObject | undefined): Pick<ModuleMark, 'manager'> {
  return manager ? { manager: `${manager.metadata.uid}/${manager.metadata.generation}` } : {};
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 32);
}
