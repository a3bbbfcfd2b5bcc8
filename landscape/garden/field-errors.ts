import { type FieldError, invalid as invalidStatus } from '../kubernetes/status-error.ts';

export type { FieldError };

export function required(field: string, detail: string): FieldError {
  return { reason: 'FieldValueRequired', field, detail };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, value, detail };
}

export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, detail };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, value, detail: '' };
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  return { reason: 'FieldValueNotSupported', field, value, detail: `supported values: ${list}` };
}

/** `[spec.a: Invalid value: "x": must be y, spec.b: ...]`, as an admission plugin of Gardener lists what it found. */
export function listErrors(errors: readonly FieldError[]): string {
  const causes = invalidStatus({ group: '', kind: '' }, '', errors).details?.causes ?? [];
  return `[${causes.map(({ field, message }) => `${field}: ${message}`).join(', ')}]`;
}
