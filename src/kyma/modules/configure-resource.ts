import { isRecord, readPath, readText } from '../../domain/json.ts';
import type { ConfigurationEntry } from '../../domain/kyma-config.ts';
import type { ConfidentialMapping } from './confidential-mapping.ts';
import type { Schema } from './custom-resource-schema.ts';

type Spec = Record<string, unknown>;

export interface ConfigurationMistake {
  /** Which entry, counted from 0. */
  readonly entry: number;
  readonly field: 'key' | 'value' | 'secret';
  readonly message: string;
}

/** What is to be in a Secret, in clear. */
export interface ConfiguredSecret {
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

type Typed = { readonly value: unknown } | { readonly message: string };

const segmentPattern = /^[A-Za-z0-9_-]+$/;
const inheritedNames = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The fields of a module's `spec` that configuration entries ask for. A key is the dotted path of a field under `spec`;
 * its value gets the type that the schema has for the field. Without a schema, `true` and `false` are booleans and
 * everything else is text. Confidential entries go into Secrets, as the catalogue maps them, and nowhere else.
 */
export function configuredSpec(
  entries: readonly ConfigurationEntry[],
  schema: Schema | undefined,
  mappings: readonly ConfidentialMapping[] = [],
): {
  readonly spec: Spec;
  readonly secrets: readonly ConfiguredSecret[];
  readonly mistakes: readonly ConfigurationMistake[];
} {
  const spec: Spec = {};
  const secrets = new Map<ConfidentialMapping, { first: number; data: Record<string, string> }>();
  const mistakes: ConfigurationMistake[] = [];
  for (const [entry, { key, value, secret }] of entries.entries()) {
    const refuse = (field: ConfigurationMistake['field'], message: string) => mistakes.push({ entry, field, message });
    const mapping = mappings.find(({ keys }) => Object.hasOwn(keys, key));
    const dataKey = mapping?.keys[key];
    if (mapping && dataKey !== undefined) {
      const { data } = secrets.get(mapping) ?? secrets.set(mapping, { first: entry, data: {} }).get(mapping) ?? {};
      if (!secret) refuse('secret', `"${key}" is confidential: it must be given with secret: true`);
      else if (data && Object.hasOwn(data, dataKey)) refuse('key', `"${key}" is set by another entry too`);
      else if (data) data[dataKey] = value;
      continue;
    }
    if (secret) {
      const mapped = mappings.flatMap(({ keys }) => Object.keys(keys)).join(', ');
      const can = mapped ? `maps only ${mapped}` : 'maps no confidential entry of this module';
      refuse('secret', `"${key}" is confidential, but the catalogue ${can}`);
      continue;
    }
    const segments = key.split('.');
    if (!segments.every((segment) => segmentPattern.test(segment) && !inheritedNames.has(segment))) {
      refuse('key', `"${key}" is not a dotted path of fields such as config.numTrustedProxies`);
      continue;
    }
    const found = schema ? findSchema(schema, segments) : undefined;
    if (found && 'message' in found) {
      refuse('key', `"${key}" is not a field of this module: ${found.message}`);
      continue;
    }
    const typed = toType(value, found?.schema);
    if ('message' in typed) refuse('value', `"${key}" ${typed.message}`);
    else if (!put(spec, segments, typed.value)) refuse('key', `"${key}" is set by another entry too`);
  }
  for (const [{ name, field }, { first }] of secrets) {
    if (field === undefined || put(spec, field.split('.'), name)) continue;
    const message = `"${field}" names the Secret of confidential entries, and is set by another entry too`;
    mistakes.push({ entry: first, field: 'key', message });
  }
  return { spec, secrets: [...secrets].map(([{ name }, { data }]) => ({ name, data })), mistakes };
}

/** The schema of a nested field: undefined inside where everything is allowed. */
function findSchema(
  root: Schema,
  segments: readonly string[],
): { readonly schema: Schema | undefined } | { readonly message: string } {
  let schema: Schema = root;
  for (const segment of segments) {
    const property = readPath(schema, 'properties', segment);
    const further = isRecord(property) ? property : schema.additionalProperties;
    if (isRecord(further)) {
      schema = further;
      continue;
    }
    if (further === true || schema['x-kubernetes-preserve-unknown-fields'] === true) return { schema: undefined };
    const known = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
    return { message: `there is no "${segment}"${known.length > 0 ? `; there is ${known.join(', ')}` : ''}` };
  }
  return { schema };
}

function toType(value: string, schema: Schema | undefined): Typed {
  const allowed = schema?.enum;
  const typed = convert(value, schema);
  if ('message' in typed || !Array.isArray(allowed) || allowed.includes(typed.value)) return typed;
  return { message: `must be one of ${allowed.join(', ')}, not "${value}"` };
}

function convert(value: string, schema: Schema | undefined): Typed {
  if (schema?.['x-kubernetes-int-or-string'] === true) return { value: isInteger(value) ? Number(value) : value };
  switch (readText(schema, 'type')) {
    case 'string':
      return { value };
    case 'boolean':
      return value === 'true' || value === 'false'
        ? { value: value === 'true' }
        : { message: `must be true or false, not "${value}"` };
    case 'integer':
      return isInteger(value) ? { value: Number(value) } : { message: `must be a whole number, not "${value}"` };
    case 'number':
      return value.trim() !== '' && Number.isFinite(Number(value))
        ? { value: Number(value) }
        : { message: `must be a number, not "${value}"` };
    case 'array':
      return fromJson(value, Array.isArray, 'a JSON array');
    case 'object':
      return fromJson(value, isRecord, 'a JSON object');
    default:
      return { value: value === 'true' || value === 'false' ? value === 'true' : value };
  }
}

function isInteger(value: string): boolean {
  return /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value));
}

function fromJson(value: string, accepts: (parsed: unknown) => boolean, what: string): Typed {
  try {
    const parsed: unknown = JSON.parse(value);
    if (accepts(parsed)) return { value: parsed };
  } catch {
    // Falls through to the same message as JSON of another type.
  }
  return { message: `must be ${what}, not "${value}"` };
}

/** False when another entry has set the field, a part of it, or what it is a part of. */
function put(spec: Spec, segments: readonly string[], value: unknown): boolean {
  let parent = spec;
  for (const segment of segments.slice(0, -1)) {
    const child = parent[segment] ?? {};
    if (!isRecord(child)) return false;
    parent[segment] = child;
    parent = child;
  }
  const last = segments.at(-1) ?? '';
  if (last in parent) return false;
  parent[last] = value;
  return true;
}
