import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';

/** How the schema's own scalars are read and written. */
export const scalars = {
  Labels: {
    parseValue: parseLabels,
    parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) =>
      parseLabels(valueFromASTUntyped(node, variables)),
  },
  KymaModule: {
    parseValue: parseModule,
    parseLiteral: (node: ValueNode) => {
      if (node.kind === Kind.STRING || node.kind === Kind.ENUM) return parseModule(node.value);
      throw new GraphQLError('KymaModule must be a name, such as Serverless or "api-gateway"', { nodes: node });
    },
  },
  /** Answered only, and JSON as it is. */
  Manifest: { serialize: (value: unknown) => value },
  Timestamp: {
    parseValue: parseTimestamp,
    parseLiteral: (node: ValueNode) => parseTimestamp(valueFromASTUntyped(node)),
    serialize: (value: unknown) => {
      if (value instanceof Date) return value.toISOString();
      throw new TypeError('a Timestamp must be a Date');
    },
  },
};

function parseModule(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new GraphQLError('KymaModule must be a name, such as "api-gateway"');
}

const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

function parseTimestamp(value: unknown): Date {
  const time = typeof value === 'string' && timestampPattern.test(value) ? new Date(value) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new GraphQLError('Timestamp must be a moment as RFC 3339 writes it, such as "2020-06-30T09:41:00Z"');
}

function parseLabels(value: unknown): object {
  // Rebuilt as plain JSON: literals arrive as objects without a prototype.
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return structuredClone({ ...value });
  throw new GraphQLError('Labels must be a JSON object');
}
