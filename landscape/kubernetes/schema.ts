import { isObject, type JsonObject } from './json-value.ts';
import type { FieldError } from './status-error.ts';

/** The part of an OpenAPI v3 schema that the landscape reads. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

/** Fields of every object, which schemas do not list. */
const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes the fields that the schema does not know and answers their paths, such as `spec.workers[0].color`. */
export function pruneUnknownFields(object: JsonObject, schema: Schema): readonly string[] {
  const unknown: string[] = [];
  prune(object, schema, '', unknown, true);
  return unknown;
}

function prune(value: unknown, schema: Schema, path: string, unknown: string[], isObjectRoot: boolean): void {
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    for (const [index, item] of value.entries()) prune(item, schema.items, `${path}[${index}]`, unknown, false);
    return;
  }
  if (!isObject(value)) return;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || isFreeForm(schema);
  for (const [field, child] of Object.entries(value)) {
    if (isObjectRoot && objectFields.has(field)) continue;
    const known = childSchema(schema, field);
    const childPath = path === '' ? field : `${path}.${field}`;
    const isEmbedded = known?.['x-kubernetes-embedded-resource'] === true;
    if (known !== undefined) prune(child, known, childPath, unknown, isEmbedded);
    else if (!isOpen) {
      unknown.push(childPath);
      delete value[field];
    }
  }
}

/** The schema of a field; undefined for one that is not described. */
export function childSchema(schema: Schema | undefined, field: string): Schema | undefined {
  const property = schema?.properties?.[field];
  if (property !== undefined) return property;
  const additional = schema?.additionalProperties;
  if (additional === true) return { 'x-kubernetes-preserve-unknown-fields': true };
  return typeof additional === 'object' ? additional : undefined;
}

/** An object schema that describes nothing at all takes anything. */
function isFreeForm(schema: Schema): boolean {
  return schema.properties === undefined && schema.additionalProperties === undefined && schema.type === undefined;
}

/** Fills in `default` values where a field is missing. */
export function applyDefaults(value: unknown, schema: Schema): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) applyDefaults(item, schema.items);
    return;
  }
  if (!isObject(value)) return;
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    if (value[field] === undefined && property.default !== undefined) value[field] = structuredClone(property.default);
  }
  for (const [field, child] of Object.entries(value)) {
    const known = childSchema(schema, field);
    if (known !== undefined) applyDefaults(child, known);
  }
}

/** What in an object breaks its schema, in the words of Kubernetes. */
export function validateSchema(object: JsonObject, schema: Schema): readonly FieldError[] {
  const errors: FieldError[] = [];
  validate(object, schema, '', errors);
  return errors;
}

function validate(value: unknown, schema: Schema, path: string, errors: FieldError[]): void {
  if (value === null && schema.nullable === true) return;
  const typeError = mismatch(value, schema);
  if (typeError !== undefined) {
    errors.push({
      reason: 'FieldValueTypeInvalid',
      field: path,
      value: Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : value,
      detail: `${path} in body must be of type ${schema.type}: "${typeError}"`,
    });
    return;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const supported = schema.enum.map((allowed) => JSON.stringify(allowed)).join(', ');
    errors.push({ reason: 'FieldValueNotSupported', field: path, value, detail: `supported values: ${supported}` });
  }
  const bound = boundError(value, schema, path);
  if (bound !== undefined) errors.push({ reason: 'FieldValueInvalid', field: path, value, detail: bound });
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    for (const [index, item] of value.entries()) validate(item, schema.items, `${path}[${index}]`, errors);
    return;
  }
  if (!isObject(value)) return;
  const at = (field: string): string => (path === '' ? field : `${path}.${field}`);
  for (const field of schema.required ?? []) {
    if (value[field] === undefined) errors.push({ reason: 'FieldValueRequired', field: at(field), detail: '' });
  }
  for (const [field, child] of Object.entries(value)) {
    const known = childSchema(schema, field);
    if (known !== undefined) validate(child, known, at(field), errors);
  }
}

/** The type that a value has, when it is not the one that the schema wants. */
function mismatch(value: unknown, schema: Schema): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return undefined;
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  switch (schema.type) {
    case undefined:
      return undefined;
    case 'integer':
      return Number.isInteger(value) ? undefined : actual;
    default:
      return actual === schema.type ? undefined : actual;
  }
}

function boundError(value: unknown, schema: Schema, path: string): string | undefined {
  const { pattern, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  if (typeof value === 'string') {
    if (pattern !== undefined && !new RegExp(pattern).test(value)) return `${path} in body should match '${pattern}'`;
    if (minLength !== undefined && value.length < minLength) {
      return `${path} in body should be at least ${minLength} chars long`;
    }
    if (maxLength !== undefined && value.length > maxLength) {
      return `${path} in body should be at most ${maxLength} chars long`;
    }
  }
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) {
      return `${path} in body should be greater than or equal to ${minimum}`;
    }
    if (maximum !== undefined && value > maximum) return `${path} in body should be less than or equal to ${maximum}`;
  }
  if (Array.isArray(value)) {
    if (minItems !== undefined && value.length < minItems)
      return `${path} in body should have at least ${minItems} items`;
    if (maxItems !== undefined && value.length > maxItems)
      return `${path} in body should have at most ${maxItems} items`;
  }
  return undefined;
}
