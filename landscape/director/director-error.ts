const names = {
  10: 'InternalError',
  11: 'UnknownError',
  20: 'NotFound',
  21: 'NotUnique',
  22: 'InvalidData',
  23: 'InsufficientScopes',
  24: 'TenantRequired',
  25: 'TenantNotFound',
  26: 'Unauthorized',
  27: 'InvalidOperation',
  28: 'OperationTimeout',
  29: 'EmptyData',
  30: 'InconsistentData',
  31: 'NotUniqueName',
  32: 'ConcurrentOperation',
  33: 'InvalidStatusCondition',
  35: 'ConcurrentUpdate',
  38: 'OperationInProgress',
  400: 'BadRequest',
  409: 'Conflict',
} as const;

export type DirectorErrorCode = keyof typeof names;

/** An error as the Director reports it: `text [key=value; ...]` with a number and a name in the extensions. */
export class DirectorError extends Error {
  readonly code: DirectorErrorCode;

  constructor(code: DirectorErrorCode, text: string, details: Readonly<Record<string, string>> = {}) {
    const listed = Object.entries(details).map(([key, value]) => `${key}=${value}`);
    super(listed.length === 0 ? text : `${text} [${listed.join('; ')}]`);
    this.code = code;
  }

  get extensions(): { error: string; error_code: number } {
    return { error: names[this.code], error_code: this.code };
  }
}
