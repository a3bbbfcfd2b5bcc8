const names = {
  10: 'InternalError',
  20: 'NotFound',
  22: 'InvalidData',
  23: 'InsufficientScopes',
  24: 'TenantRequired',
  25: 'TenantNotFound',
  27: 'InvalidOperation',
  400: 'BadRequest',
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
