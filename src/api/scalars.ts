import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql';

/** How the schema's own scalars are read and written. */
export const scalars = {
  Labels: {
    parseValue: parseLabels,
    parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) =>
      parseLabels(valueFromASTUntyped(node, variables)),
  },
  Timestamp: {
    serialize: (value: unknown) => {
      if (value instanceof Date) return value.toISOString();
      throw new TypeError('a Timestamp must be a Date');
    },
  },
};

function parseLabels(value: unknown): object {
  // Rebuilt as plain JSON: literals arrive as objects without a prototype.
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return structuredClone({ ...value });
  throw new GraphQLError('Labels must be a JSON object');
}
