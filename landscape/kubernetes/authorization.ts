import type { Verb } from './request-info.ts';
import type { ResourcePath } from './request-path.ts';
import type { User } from './resource-type.ts';
import { forbidden } from './status-error.ts';

const readVerbs: ReadonlySet<Verb> = new Set(['get', 'list', 'watch']);

/** 403 for a read-only user who writes, or who looks at Secrets. Everybody else may do everything. */
export function refuseUnauthorized(user: User, verb: Verb, target: ResourcePath): void {
  if (user.readOnly !== true) return;
  const { group, plural, name, subresource, namespace } = target;
  const isSecret = group === '' && plural === 'secrets';
  if (readVerbs.has(verb) && !isSecret) return;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const explanation = `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" ${scope}`;
  throw forbidden({ group, plural }, name, explanation);
}
