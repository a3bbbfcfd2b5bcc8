import type { Target } from '../../landscape/control/faults.ts';
import type { HeldRequest } from '../../landscape/control/gate.ts';
import { parseRequestPath } from '../../landscape/kubernetes/request-path.ts';

/** What is asked for there is an access token, which nobody finds afterwards. */
const withoutTrace: readonly Target[] = ['oauth', 'google'];

/**
 * What a request would change, without names, such as `garden POST shoots` or `director POST setRuntimeLabel`; undefined
 * when it leaves nothing behind.
 */
export function effectOf({ target, method, path, body }: Omit<HeldRequest, 'moment' | 'headers'>): string | undefined {
  if (withoutTrace.includes(target)) return undefined;
  if (method === 'GET' || method === 'HEAD' || path.includes('dryRun=All')) return undefined;
  const what = whatIsWritten({ target, path, body });
  return what && `${target} ${method} ${what}`;
}

/** What a statement changes, such as `database store-notes`; undefined when it only reads. */
export function effectOfStatement({ name, text }: { name: string; text: string }): string | undefined {
  if (!/\b(INSERT INTO|UPDATE|DELETE FROM)\s+\w/i.test(text.replaceAll(/FOR (NO KEY )?UPDATE/gi, ''))) return undefined;
  return `database ${name || text.split(/\s+/, 4).join(' ')}`;
}

function whatIsWritten({ target, path, body }: Pick<HeldRequest, 'target' | 'path' | 'body'>) {
  const [pathname = ''] = path.split('?', 1);
  switch (target) {
    case 'garden':
    case 'management':
    case 'cluster':
      return resourceOf(pathname.replace(/^\/(garden|management|clusters\/[^/]+)/, ''));
    case 'gke':
      return collectionsOf(pathname);
    case 'director':
      return /^\s*mutation\b[^{]*\{\s*(?:\w+:\s*)?(\w+)/.exec(queryOf(String(body ?? '')))?.[1];
    default:
      return pathname;
  }
}

function resourceOf(pathname: string): string {
  const resource = parseRequestPath(pathname);
  if (resource.kind !== 'resource') return pathname;
  const { group, plural, subresource } = resource;
  return [group === '' ? plural : `${plural}.${group}`, subresource].filter(Boolean).join('/');
}

/** Every other segment is a name: `clusters/nodePools:setSize`. */
function collectionsOf(pathname: string): string {
  const [, rest = ''] = /\/locations\/[^/]+\/(.*)$/.exec(pathname) ?? [];
  const verb = /:\w+$/.exec(rest)?.[0] ?? '';
  return `${rest
    .split('/')
    .filter((_, index) => index % 2 === 0)
    .join('/')}${verb}`;
}

function queryOf(body: string): string {
  try {
    return String(JSON.parse(body).query);
  } catch {
    return '';
  }
}
