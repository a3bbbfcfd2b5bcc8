import { Failure } from '../domain/failures.ts';

/** What one request may cost; each can be set by a variable `APP_API_MAX_...` or `APP_API_REQUEST_TIMEOUT`. */
export interface RequestLimits {
  /** Levels of selections, and of lists and objects in arguments and variables. */
  readonly depth: number;
  /** Fields of Query or Mutation: each asks the database, or starts an operation. */
  readonly rootFields: number;
  readonly aliases: number;
  /** Fields and fragments that a document selects, whether they are used or not: what checking it costs. */
  readonly selections: number;
  readonly tokens: number;
  /** What answering costs; see `measureDocument`. */
  readonly cost: number;
  readonly bodyBytes: number;
  /** `first` of a list. */
  readonly pageSize: number;
  /** From the request's arrival to its answer, in milliseconds. */
  readonly timeoutMillis: number;
}

export const defaultRequestLimits: RequestLimits = {
  // The introspection query of every usual tool has 14, which is deeper than any other query can be.
  depth: 20,
  rootFields: 100,
  aliases: 200,
  selections: 1_000,
  // Orders with everything written into the document have some thousands.
  tokens: 10_000,
  cost: 50_000,
  bodyBytes: 256 * 1024,
  pageSize: 200,
  timeoutMillis: 30_000,
};

/** What is counted against a limit, in words that follow "the request has". */
const limitNames = {
  depth: 'levels of nesting',
  rootFields: 'fields of Query or Mutation',
  aliases: 'aliases',
  selections: 'selected fields and fragments',
  tokens: 'tokens',
  cost: 'points of cost',
  bodyBytes: 'bytes',
} as const;

export type CountedLimit = keyof typeof limitNames;

/** A request that asks for more than one request may; nothing of it was carried out. */
export class LimitExceeded extends Failure {
  readonly limit: CountedLimit;
  /** Undefined: counting stopped at the limit. */
  readonly found: number | undefined;
  readonly allowed: number;

  constructor({ limit, found, allowed }: { limit: CountedLimit; found?: number | undefined; allowed: number }) {
    const isKnown = Number.isSafeInteger(found);
    const count = isKnown ? String(found) : `more than ${allowed}`;
    super('LIMIT_EXCEEDED', `the request has ${count} ${limitNames[limit]}, and at most ${allowed} are allowed`);
    this.limit = limit;
    this.found = isKnown ? found : undefined;
    this.allowed = allowed;
  }
}
