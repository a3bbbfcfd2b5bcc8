import { Failure } from './failures.ts';

declare const brand: unique symbol;
type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };

/** Identifies a Runtime. A UUID: the Director's id of it when it is registered there. */
export type RuntimeId = Branded<string, 'RuntimeId'>;
/** Identifies one asynchronous operation. A UUID that we choose. */
export type OperationId = Branded<string, 'OperationId'>;
/** The value of the `tenant` header: who owns a Runtime. */
export type Tenant = Branded<string, 'Tenant'>;

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Throws INVALID_INPUT that names `field` unless `text` is a UUID. UUIDs are compared in lower case. */
export function parseRuntimeId(text: string, field = 'id'): RuntimeId {
  return parseUuid(text, field) as RuntimeId;
}

/** Throws INVALID_INPUT that names `field` unless `text` is a UUID. */
export function parseOperationId(text: string, field = 'id'): OperationId {
  return parseUuid(text, field) as OperationId;
}

export function newRuntimeId(): RuntimeId {
  return crypto.randomUUID() as RuntimeId;
}

export function newOperationId(): OperationId {
  return crypto.randomUUID() as OperationId;
}

/** Throws TENANT_MISSING when the header is absent or blank. */
export function parseTenant(header: string | undefined): Tenant {
  const tenant = header?.trim();
  if (!tenant) throw new Failure('TENANT_MISSING', 'tenant header is empty');
  return tenant as Tenant;
}

function parseUuid(text: string, field: string): string {
  if (uuidPattern.test(text)) return text.toLowerCase();
  throw new Failure('INVALID_INPUT', `${field}: "${text}" is not a UUID such as 309051b6-0bac-44c8-8bae-3fc59c12bb5c`);
}
