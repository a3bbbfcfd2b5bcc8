import type { KubeObject, ResourceType } from './resource-type.ts';
import { badRequest } from './status-error.ts';

export type Matches = (object: KubeObject) => boolean;

const labelKey = '[A-Za-z0-9]([A-Za-z0-9./_-]*[A-Za-z0-9])?';
const setRequirement = new RegExp(String.raw`^(${labelKey})\s+(in|notin)\s+\(([^()]*)\)$`);
const equalityRequirement = new RegExp(String.raw`^(${labelKey})\s*(==|=|!=)\s*([A-Za-z0-9._-]*)$`);
const existsRequirement = new RegExp(String.raw`^(!?)\s*(${labelKey})$`);

/** Equality (`a=b`, `a!=b`), set (`a in (b,c)`, `a notin (b)`) and existence (`a`, `!a`) requirements, all of which must hold. */
export function labelSelector(selector: string): Matches {
  const requirements = splitOutsideParentheses(selector).map(labelRequirement);
  return (object) => requirements.every((holds) => holds(object.metadata.labels ?? {}));
}

/** `metadata.name`, `metadata.namespace` and what the type adds; any other field is a 400. */
export function fieldSelector(selector: string, type: ResourceType): Matches {
  const terms = selector.split(',').filter((term) => term.trim() !== '');
  const requirements = terms.map((term): Matches => {
    const match = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
    const [, path = '', operator, expected = ''] = match;
    const read = selectableFields(type)[path];
    if (read === undefined) throw badRequest(`field label not supported: ${path}`);
    return (object) => (read(object) === expected) === (operator !== '!=');
  });
  return (object) => requirements.every((holds) => holds(object));
}

/** The one name that a field selector allows, when it fixes one: for a lookup instead of a scan. */
export function nameOfFieldSelector(selector: string): string | undefined {
  for (const term of selector.split(',')) {
    const match = /^\s*metadata\.name\s*==?\s*(.*?)\s*$/.exec(term);
    if (match !== null) return match[1];
  }
  return undefined;
}

function selectableFields(type: ResourceType): Readonly<Record<string, (object: KubeObject) => string>> {
  return {
    'metadata.name': (object) => object.metadata.name ?? '',
    'metadata.namespace': (object) => object.metadata.namespace ?? '',
    ...type.fieldSelectors,
  };
}

function labelRequirement(term: string): (labels: Readonly<Record<string, string>>) => boolean {
  const set = setRequirement.exec(term);
  if (set !== null) {
    const [, key = '', , operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    if (operator === 'in') return (labels) => labels[key] !== undefined && values.has(labels[key]);
    return (labels) => labels[key] === undefined || !values.has(labels[key]);
  }
  const equality = equalityRequirement.exec(term);
  if (equality !== null) {
    const [, key = '', , operator, value] = equality;
    return (labels) => (labels[key] === value) === (operator !== '!=');
  }
  const exists = existsRequirement.exec(term);
  if (exists !== null) {
    const [, not, key = ''] = exists;
    return (labels) => (labels[key] !== undefined) === (not !== '!');
  }
  throw badRequest(`unable to parse requirement: found '${term}', expected: a label selector`);
}

function splitOutsideParentheses(text: string): readonly string[] {
  return text
    .split(/,(?![^()]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
}
