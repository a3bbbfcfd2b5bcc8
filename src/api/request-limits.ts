import { GraphQLError, type ValidationRule } from 'graphql';

/** Deep enough for the introspection query of every usual tool (14), which is deeper than any other query can be. */
export const maxDepth = 20;
export const maxTokens = 10_000;
export const maxBodyBytes = 256 * 1024;
/** Each field of a query or mutation itself costs a trip to the database, or starts an operation. */
const maxRootFields = 100;

/** Refuses a document that asks for more than `maxRootFields` Runtimes, operations or mutations at once. */
export const limitRootFields: ValidationRule = (context) => {
  let count = 0;
  return {
    Field: (node) => {
      const parent = context.getParentType();
      const schema = context.getSchema();
      if (!parent || (parent !== schema.getQueryType() && parent !== schema.getMutationType())) return undefined;
      count += 1;
      if (count === maxRootFields + 1) {
        const message = `a request may select at most ${maxRootFields} fields of Query or Mutation`;
        context.reportError(new GraphQLError(message, { nodes: node }));
      }
      return undefined;
    },
  };
};
