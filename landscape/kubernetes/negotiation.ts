import { StatusError } from './status-error.ts';

/** The form in which a client wants objects. */
export type Form =
  | { readonly kind: 'object' }
  | { readonly kind: 'table' }
  | { readonly kind: 'metadata' }
  | { readonly kind: 'discovery' };

const forms: Readonly<Record<string, Form['kind']>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
};

/** Takes the first entry of an Accept header that is served. */
export function acceptedForm(accept: string | undefined): Form {
  if (accept === undefined || accept.trim() === '') return { kind: 'object' };
  for (const entry of accept.split(',')) {
    const [media = '', ...parameters] = entry.split(';').map((part) => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(media)) continue;
    const as = parameter(parameters, 'as');
    if (as === undefined) return { kind: 'object' };
    if (as === 'APIGroupDiscoveryList') {
      if (parameter(parameters, 'v') === 'v2') return { kind: 'discovery' };
      continue;
    }
    const kind = forms[as];
    if (kind !== undefined) return { kind };
  }
  throw new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: 'only the following media types are accepted: application/json',
  });
}

/** For endpoints with one form of answer, whatever the client prefers. */
export function wantsAggregatedDiscovery(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((entry) => /as=APIGroupDiscoveryList/.test(entry) && /v=v2(;|$)/.test(entry.trim()));
}

function parameter(parameters: readonly string[], name: string): string | undefined {
  return parameters.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}
