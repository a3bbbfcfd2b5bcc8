import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';

/** What a Shoot names that no extension of the Garden serves; undefined when there is nothing of the kind. */
export function unregisteredExtensions({ spec }: KubeObject, garden: KubernetesApi): string | undefined {
  const registered = garden
    .list('controllerregistrations')
    .flatMap((registration) => registration.spec.resources ?? []);
  const isRegistered = (kind: string, type: string) =>
    registered.some((resource: { kind: string; type: string }) => resource.kind === kind && resource.type === type);
  const errors: string[] = [];
  const check = (kind: string, type: string, path: string) => {
    if (!isRegistered(kind, type)) errors.push(`given Shoot uses non-registered extension type: ${path} ("${type}")`);
  };
  const { dns, extensions = [] } = spec;
  (dns?.providers ?? []).forEach(({ type, primary }: { type?: string; primary?: boolean }, index: number) => {
    if (type && type !== 'unmanaged' && primary) check('DNSRecord', type, `spec.dns.providers[${index}].type`);
  });
  extensions.forEach(({ type }: { type: string }, index: number) => {
    check('Extension', type, `spec.extensions[${index}].type`);
  });
  if (errors.length === 0) return undefined;
  const lines = errors.map((error) => `\t* ${error}\n`).join('');
  return `${errors.length} error${errors.length === 1 ? '' : 's'} occurred:\n${lines}\n`;
}
