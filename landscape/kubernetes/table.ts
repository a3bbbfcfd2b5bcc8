import { humanDuration } from './human-duration.ts';
import { inVersion } from './resource-registry.ts';
import type { KubeObject, PrinterColumn, ResourceType } from './resource-type.ts';

/** How much of the object each row carries along. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly include: IncludeObject;
  /** For ages, in milliseconds since the epoch. */
  readonly now: number;
  readonly metadata: object;
  readonly withColumns?: boolean;
}

const nameColumn: PrinterColumn = { name: 'Name', type: 'string', value: (object) => object.metadata.name };
const ageColumn: PrinterColumn = { name: 'Age', type: 'date', value: (object) => object.metadata.creationTimestamp };

/** The Table of the meta.k8s.io API: what `kubectl get` prints. */
export function tableOf(objects: readonly KubeObject[], type: ResourceType, options: TableOptions): object {
  const { include, now, metadata, withColumns = true } = options;
  const columns = columnsOf(type);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? columns.map(columnDefinition) : [],
    rows: objects.map((object) => ({
      cells: columns.map((column) => cell(column, object, now)),
      ...(include === 'None' ? {} : { object: included(inVersion(object, type), include) }),
    })),
  };
}

/** PartialObjectMetadata: an object without spec and status. */
export function partialMetadata(object: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

function included(object: KubeObject, include: 'Metadata' | 'Object'): object {
  return include === 'Object' ? object : partialMetadata(object);
}

function columnsOf(type: ResourceType): readonly PrinterColumn[] {
  const own = type.columns ?? [];
  const has = (name: string): boolean => own.some((column) => column.name.toLowerCase() === name);
  return [...(has('name') ? [] : [nameColumn]), ...own, ...(has('age') ? [] : [ageColumn])];
}

function columnDefinition({ name, type, priority = 0 }: PrinterColumn): object {
  const format = name === 'Name' ? 'name' : '';
  // Dates are sent as ages, so the column is a string.
  return { name, type: type === 'date' ? 'string' : type, format, description: '', priority };
}

function cell(column: PrinterColumn, object: KubeObject, now: number): unknown {
  const value = column.value(object);
  if (column.type !== 'date') return value ?? (column.type === 'string' ? '' : null);
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now - time);
}
