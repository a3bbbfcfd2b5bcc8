/** One mistake in an object, as `details.causes` of a Status lists it. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The resource that an error is about: enough of a `ResourceType` to name it. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** A refusal as Kubernetes words it; the server answers it as a `Status` object. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;

  constructor({
    code,
    reason,
    message,
    details,
  }: {
    code: number;
    reason: string;
    message: string;
    details?: StatusDetails;
  }) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** The `Status` object of the Kubernetes API. */
  toStatus(): StatusObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

export interface StatusObject {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  readonly status: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** `shoots.core.gardener.cloud`, `secrets`: how Kubernetes names a resource in its messages. */
export function qualifiedName({ group, plural }: ResourceName): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function about(resource: ResourceName, name: string | undefined): StatusDetails {
  return {
    ...(name === undefined ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

export function notFound(resource: ResourceName, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedName(resource)} "${name}" not found`,
    details: about(resource, name),
  });
}

/** No such path: an API group, version or resource that is not served. */
export function unknownPath(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

export function alreadyExists(resource: ResourceName, name: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualifiedName(resource)} "${name}" already exists`,
    details: about(resource, name),
  });
}

export const STALE_OBJECT =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 409 `Conflict`: a stale resourceVersion (the default wording), a precondition that does not hold. */
export function conflict(resource: ResourceName, name: string, explanation: string = STALE_OBJECT): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedName(resource)} "${name}": ${explanation}`,
    details: about(resource, name),
  });
}

/** A mistake in a field; `invalid` words it as Kubernetes does. */
export interface FieldError {
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueForbidden'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
    | 'FieldValueTypeInvalid'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany';
  readonly field: string;
  /** What Kubernetes prints after the reason, such as `Invalid value: "x": must be y` without `Invalid value: `. */
  readonly value?: unknown;
  readonly detail: string;
}

const fieldErrorTitles: Readonly<Record<FieldError['reason'], string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueForbidden: 'Forbidden',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueNotFound: 'Not found',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
};

const titlesWithoutValue: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooMany',
]);

function describe({ reason, value, detail }: FieldError): string {
  const shown = titlesWithoutValue.has(reason) || value === undefined ? '' : `: ${JSON.stringify(value)}`;
  return `${fieldErrorTitles[reason]}${shown}${detail === '' ? '' : `: ${detail}`}`;
}

/** 422 with one cause per mistake: `Shoot.core.gardener.cloud "x" is invalid: spec.region: Required value: ...`. */
export function invalid(
  { group, kind }: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const causes = errors.map((error) => ({ reason: error.reason, message: describe(error), field: error.field }));
  const lines = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const list = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${list}`,
    details: { name, ...(group === '' ? {} : { group }), kind, causes },
  });
}

/** 403: `shoots.core.gardener.cloud "x" is forbidden: <explanation>`. */
export function forbidden(resource: ResourceName, name: string | undefined, explanation: string): StatusError {
  const subject = name === undefined || name === '' ? '' : ` "${name}"`;
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualifiedName(resource)}${subject} is forbidden: ${explanation}`,
    details: about(resource, name),
  });
}

export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

export function methodNotAllowed(resource: ResourceName, action: string): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind "${qualifiedName(resource)}"`,
    details: about(resource, undefined),
  });
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
}

export function bodyTooLarge(limitBytes: number): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limitBytes}`,
  });
}

/** 410 `Expired`: a resourceVersion or continue token of which nothing is known any more. */
export function gone(message: string): StatusError {
  return new StatusError({ code: 410, reason: 'Expired', message });
}

/** 429; the server also sends the `Retry-After` header. */
export function tooManyRequests(retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: 'Too many requests, please try again later.',
    details: { retryAfterSeconds },
  });
}

export function internal(message: string): StatusError {
  return new StatusError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ reason: 'UnknownError', message }] },
  });
}
