import { isObject, type JsonObject } from '../json-value.ts';
import { apiVersionOf } from '../resource-registry.ts';
import type { KubeObject, ResourceType } from '../resource-type.ts';
import { badRequest, type StatusCause, StatusError } from '../status-error.ts';
import { compare } from './compare.ts';
import {
  decodeFields,
  difference,
  emptySet,
  encodeFields,
  type FieldSet,
  fieldsOf,
  intersection,
  isEmpty,
  memberPaths,
  sameSet,
  union,
} from './field-set.ts';
import { mergeApplied, removeFields } from './merge.ts';
import { rootShape } from './shape.ts';

/** Who writes: a field manager, through the object itself or one of its subresources. */
export interface Writer {
  readonly manager: string;
  readonly subresource: string | undefined;
  /** The time of the write, as Kubernetes prints it. */
  readonly time: string;
}

interface ManagerEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time: string | undefined;
  readonly subresource: string | undefined;
  readonly fields: FieldSet;
}

/** What nobody owns: identity, and what the system keeps. */
const systemMetadata = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];

/**
 * The managedFields after an ordinary write: the writer owns what it changed, others lose it. When the written object
 * brings managedFields of its own they are the base, so a client can hand fields over.
 */
export function managedFieldsAfterUpdate(
  type: ResourceType,
  live: KubeObject | undefined,
  next: KubeObject,
  writer: Writer,
): unknown[] | undefined {
  const { changed, removed } = compare(ownable(live), ownable(next) ?? {}, rootShape(type));
  const base = next.metadata.managedFields ?? live?.metadata.managedFields;
  const entries = entriesOf(base);
  if (isEmpty(changed) && isEmpty(removed)) return Array.isArray(base) ? base : undefined;
  const touched = union(changed, removed);
  const mine = entries.find((entry) => isWriter(entry, writer, 'Update', apiVersionOf(type)));
  const kept = entries.filter((entry) => entry !== mine).map((entry) => without(entry, touched));
  const fields = difference(union(mine?.fields ?? emptySet, changed), removed);
  return encodeEntries([...kept, entryOf({ type, writer, operation: 'Update', fields, before: mine })]);
}

/** Takes `managedFields` out of a write that explicitly empties them. */
export function clearsManagedFields(object: KubeObject): boolean {
  const given = object.metadata.managedFields;
  return Array.isArray(given) && given.every((entry) => Object.keys(entry ?? {}).length === 0);
}

/**
 * Server-side apply: the object after `applied` has been laid over `live`, with managedFields. Fields that this manager
 * applied before and no longer does are removed, unless others own them. Fields of others that would change are a
 * conflict (409) unless `force` takes them over.
 */
export function applyConfiguration({
  type,
  live,
  applied,
  writer,
  force,
}: {
  type: ResourceType;
  live: KubeObject | undefined;
  applied: KubeObject;
  writer: Writer;
  force: boolean;
}): KubeObject {
  if (applied.metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const shape = rootShape(type);
  const entries = entriesOf(live?.metadata.managedFields);
  const mine = entries.find((entry) => isWriter(entry, writer, 'Apply', undefined));
  const others = entries.filter((entry) => entry !== mine);
  const configuration = withoutNulls(applied);
  const fields = fieldsOf(ownable(configuration) ?? {}, shape);

  const merged = mergeApplied(live ?? {}, configuration, shape);
  const ofOthers = others.reduce((set, entry) => union(set, entry.fields), emptySet);
  const dropped = difference(mine?.fields ?? emptySet, fields);
  const left = removeFields(merged, dropped, union(ofOthers, fields), shape);
  const result = (isObject(left) ? left : {}) as KubeObject;

  const { changed, removed } = compare(ownable(live), ownable(result) ?? {}, shape);
  if (!force) refuseConflicts(others, changed);
  const touched = union(changed, removed);
  const entry = entryOf({ type, writer, operation: 'Apply', fields, before: mine });
  const managedFields = encodeEntries([...others.map((other) => without(other, touched)), entry]);
  return { ...result, metadata: { ...result.metadata, managedFields } };
}

function refuseConflicts(others: readonly ManagerEntry[], changed: FieldSet): void {
  const conflicts = others.flatMap((entry) =>
    memberPaths(intersection(entry.fields, changed)).map((path) => ({ owner: describe(entry), path })),
  );
  if (conflicts.length === 0) return;
  const causes: StatusCause[] = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field: path,
  }));
  const byOwner = Map.groupBy(conflicts, ({ owner }) => owner);
  const list = [...byOwner].map(([owner, owned]) =>
    [`conflicts with ${owner}:`, ...owned.map(({ path }) => `- ${path}`)].join('\n'),
  );
  const [only] = conflicts;
  const message =
    conflicts.length === 1 && only !== undefined
      ? `Apply failed with 1 conflict: conflict with ${only.owner}: ${only.path}`
      : `Apply failed with ${conflicts.length} conflicts: ${list.join('\n')}`;
  throw new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

function describe({ manager, subresource, operation, apiVersion, time }: ManagerEntry): string {
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const since = operation === 'Update' ? ` using ${apiVersion}${time === undefined ? '' : ` at ${time}`}` : '';
  return `${JSON.stringify(manager)}${through}${since}`;
}

/** Those who apply are the same manager whatever version they use; those who update are not. */
function isWriter(
  entry: ManagerEntry,
  writer: Writer,
  operation: ManagerEntry['operation'],
  apiVersion: string | undefined,
): boolean {
  return (
    entry.manager === writer.manager &&
    entry.operation === operation &&
    entry.subresource === writer.subresource &&
    (apiVersion === undefined || entry.apiVersion === apiVersion)
  );
}

function without(entry: ManagerEntry, fields: FieldSet): ManagerEntry {
  return { ...entry, fields: difference(entry.fields, fields) };
}

function entryOf({
  type,
  writer,
  operation,
  fields,
  before,
}: {
  type: ResourceType;
  writer: Writer;
  operation: ManagerEntry['operation'];
  fields: FieldSet;
  before: ManagerEntry | undefined;
}): ManagerEntry {
  const apiVersion = apiVersionOf(type);
  // The time says when the set of fields changed, so that applying the same again changes nothing at all.
  const isSame = before !== undefined && before.apiVersion === apiVersion && sameSet(before.fields, fields);
  const time = isSame ? before.time : writer.time;
  return { manager: writer.manager, subresource: writer.subresource, operation, apiVersion, time, fields };
}

function entriesOf(managedFields: unknown): readonly ManagerEntry[] {
  const list = Array.isArray(managedFields) ? managedFields.filter(isObject) : [];
  return list.flatMap((entry): ManagerEntry[] => {
    const { manager, operation, apiVersion, time, subresource, fieldsV1 } = entry;
    if (typeof manager !== 'string' || (operation !== 'Apply' && operation !== 'Update')) return [];
    return [
      {
        manager,
        operation,
        apiVersion: String(apiVersion),
        time: typeof time === 'string' ? time : undefined,
        subresource: typeof subresource === 'string' && subresource !== '' ? subresource : undefined,
        fields: decodeFields(fieldsV1),
      },
    ];
  });
}

function encodeEntries(entries: readonly ManagerEntry[]): JsonObject[] {
  return entries
    .filter((entry) => !isEmpty(entry.fields))
    .map(({ manager, operation, apiVersion, time, subresource, fields }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: encodeFields(fields),
      ...(subresource === undefined ? {} : { subresource }),
    }));
}

/** The part of an object that managers can own; undefined stays undefined. */
function ownable(object: KubeObject | undefined): JsonObject | undefined {
  if (object === undefined) return undefined;
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  const owned: JsonObject = { ...metadata };
  for (const field of systemMetadata) delete owned[field];
  return Object.keys(owned).length === 0 ? rest : { ...rest, metadata: owned };
}

function withoutNulls<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, child) => (child === null ? undefined : child));
}
