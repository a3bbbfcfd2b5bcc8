import { isObject } from './json-value.ts';
import type { KubeObject, ResourceType } from './resource-type.ts';
import type { FieldError } from './status-error.ts';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = new RegExp(String.raw`^${label}(\.${label})*$`);
const labelPattern = new RegExp(`^${label}$`);
const qualifiedPattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const ANNOTATIONS_LIMIT_BYTES = 256 * 1024;

const subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${label}(\\.${label})*')`;
const labelRule = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`;
const labelValueRule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
const nameRule = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;

/** Mistakes in name, labels and annotations, as Kubernetes finds them in every object. */
export function validateMetadata(object: KubeObject, type: ResourceType): readonly FieldError[] {
  return [
    ...validateName(object, type),
    ...validateLabels(object.metadata.labels),
    ...validateAnnotations(object.metadata.annotations),
  ];
}

function validateName({ metadata }: KubeObject, type: ResourceType): readonly FieldError[] {
  const field = 'metadata.name';
  const name = metadata.name ?? '';
  if (name === '') return [{ reason: 'FieldValueRequired', field, detail: 'name or generateName is required' }];
  const wrong = (detail: string): readonly FieldError[] => [
    { reason: 'FieldValueInvalid', field, value: name, detail },
  ];
  if (type.group === 'rbac.authorization.k8s.io') {
    return /[/%]/.test(name) || name === '.' || name === '..' ? wrong(`may not contain '/' or '%'`) : [];
  }
  const isLabel = type.group === '' && ['namespaces', 'services'].includes(type.plural);
  const limit = isLabel ? 63 : 253;
  if (name.length > limit) return wrong(`must be no more than ${limit} characters`);
  const [pattern, rule] = isLabel ? [labelPattern, labelRule] : [subdomainPattern, subdomainRule];
  return pattern.test(name) ? [] : wrong(rule);
}

function validateLabels(labels: unknown): readonly FieldError[] {
  const field = 'metadata.labels';
  return Object.entries(isObject(labels) ? labels : {}).flatMap(([key, value]): readonly FieldError[] => {
    const errors = validateQualifiedName(key, field);
    if (typeof value !== 'string') {
      return [...errors, { reason: 'FieldValueTypeInvalid', field, value, detail: 'must be a string' }];
    }
    if (value.length > 63) {
      return [...errors, { reason: 'FieldValueInvalid', field, value, detail: 'must be no more than 63 bytes' }];
    }
    if (value === '' || qualifiedPattern.test(value)) return errors;
    return [...errors, { reason: 'FieldValueInvalid', field, value, detail: labelValueRule }];
  });
}

function validateAnnotations(annotations: unknown): readonly FieldError[] {
  const field = 'metadata.annotations';
  const entries = Object.entries(isObject(annotations) ? annotations : {});
  const errors = entries.flatMap(([key]) => validateQualifiedName(key.toLowerCase(), field));
  const bytes = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(String(value)), 0);
  if (bytes <= ANNOTATIONS_LIMIT_BYTES) return errors;
  const detail = `may not be more than ${ANNOTATIONS_LIMIT_BYTES} bytes`;
  return [...errors, { reason: 'FieldValueTooLong', field, detail }];
}

function validateQualifiedName(key: string, field: string): readonly FieldError[] {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const wrong = (detail: string): FieldError => ({ reason: 'FieldValueInvalid', field, value: key, detail });
  const errors: FieldError[] = [];
  if (prefix !== undefined && !subdomainPattern.test(prefix)) errors.push(wrong(`prefix part ${subdomainRule}`));
  if (name === '') errors.push(wrong('name part must be non-empty'));
  else if (name.length > 63) errors.push(wrong('name part must be no more than 63 bytes'));
  else if (!qualifiedPattern.test(name)) errors.push(wrong(nameRule));
  return errors;
}
