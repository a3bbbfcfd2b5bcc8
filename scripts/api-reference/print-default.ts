import { astFromValue, type GraphQLArgument, type GraphQLField, type GraphQLInputField, print } from 'graphql';

/** ` = 50` for what has a default in the schema itself. */
export function printDefault(field: GraphQLArgument | GraphQLInputField | GraphQLField<unknown, unknown>): string {
  if (!('defaultValue' in field) || field.defaultValue === undefined) return '';
  const value = astFromValue(field.defaultValue, field.type);
  return value ? ` = ${print(value)}` : '';
}
