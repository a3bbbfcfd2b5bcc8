import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  type Token,
  type ValidationRule,
  validate,
} from 'graphql';
import { completeBareOperations } from '../bare-operations.ts';
import { LimitExceeded, type RequestLimits } from '../request-limits.ts';
import { type Measures, measureDocument, type PageSizes } from './measure-document.ts';

/** A document may be executed, or this is what is wrong with it. */
export type CheckedDocument =
  | { readonly document: DocumentNode; readonly errors?: undefined }
  | { readonly document?: undefined; readonly errors: readonly GraphQLError[] };

/** What the documents that are kept may take in memory, about, and what one of them may. */
const mostBytesKept = 40 * 1024 * 1024;
const mostBytesOfOneKept = 1024 * 1024;
const bytesOfToken = 400;

/**
 * Reads and checks documents. Queries are kept, the most recently used ones, within a bounded memory; documents with a
 * mutation are not: many clients write their order into them, secrets included, and never send the same one again.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #limits: RequestLimits;
  readonly #rules: readonly ValidationRule[];
  readonly #pageSizes: PageSizes;
  /** In the order of last use. */
  readonly #kept = new Map<string, { readonly document: DocumentNode; readonly bytes: number }>();
  #bytesKept = 0;

  constructor({
    schema,
    limits,
    introspection,
  }: {
    schema: GraphQLSchema;
    limits: RequestLimits;
    /** Whether the schema may be asked for. */
    introspection: boolean;
  }) {
    this.#schema = schema;
    this.#limits = limits;
    this.#rules = [...specifiedRules, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
    this.#pageSizes = pageSizesOf(schema);
  }

  /** How many documents are kept, and what they take in memory, about. */
  get kept(): { readonly documents: number; readonly bytes: number } {
    return { documents: this.#kept.size, bytes: this.#bytesKept };
  }

  check(source: string): CheckedDocument {
    const known = this.#kept.get(source);
    if (known) {
      this.#kept.delete(source);
      this.#kept.set(source, known);
      return known;
    }
    try {
      const document = parse(source, { maxTokens: this.#limits.tokens });
      this.#checkLimits(document);
      const withMutation = isWithMutation(document);
      if (withMutation) completeBareOperations(this.#schema, document);
      const errors = validate(this.#schema, document, this.#rules, { maxErrors: 20 });
      if (errors.length > 0) return { errors };
      if (!withMutation) this.#keep(source, document);
      return { document };
    } catch (error) {
      return { errors: [this.#whyUnreadable(error)] };
    }
  }

  #checkLimits(document: DocumentNode): void {
    const largestPage = this.#limits.pageSize;
    const measures = measureDocument(document, { pageSizes: this.#pageSizes, largestPage });
    for (const limit of Object.keys(measures) as (keyof Measures)[]) {
      const found = measures[limit];
      const allowed = this.#limits[limit];
      if (found > allowed) throw new LimitExceeded({ limit, found, allowed });
    }
  }

  #whyUnreadable(error: unknown): GraphQLError {
    const { tokens, depth } = this.#limits;
    if (error instanceof LimitExceeded) return limitError(error);
    // The stack ends long after the limit: the reader of documents follows them down.
    if (error instanceof RangeError) return limitError(new LimitExceeded({ limit: 'depth', allowed: depth }));
    if (!(error instanceof GraphQLError)) throw error;
    if (!error.message.includes(`more that ${tokens} tokens`)) return error;
    return limitError(new LimitExceeded({ limit: 'tokens', allowed: tokens }));
  }

  #keep(source: string, document: DocumentNode): void {
    const bytes = countTokens(document) * bytesOfToken + source.length * 2;
    if (bytes > mostBytesOfOneKept) return;
    this.#kept.set(source, { document, bytes });
    this.#bytesKept += bytes;
    for (const [oldest, one] of this.#kept) {
      if (this.#bytesKept <= mostBytesKept) return;
      this.#kept.delete(oldest);
      this.#bytesKept -= one.bytes;
    }
  }
}

function limitError(exceeded: LimitExceeded): GraphQLError {
  return new GraphQLError(exceeded.message, { originalError: exceeded });
}

function isWithMutation({ definitions }: DocumentNode): boolean {
  return definitions.some(
    (one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION,
  );
}

function countTokens({ loc }: DocumentNode): number {
  let count = 0;
  for (let token: Token | null | undefined = loc?.startToken; token; token = token.next) count += 1;
  return count;
}

/** Of every list that takes `first`: what it is when it is not given. */
function pageSizesOf(schema: GraphQLSchema): PageSizes {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const sizes = fields.flatMap(({ name, args }) => {
    const first = args.find((argument) => argument.name === 'first');
    return first ? [[name, Number(first.defaultValue ?? 1)]] : [];
  });
  return Object.fromEntries(sizes) as PageSizes;
}
