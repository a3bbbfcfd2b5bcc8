import { type GraphQLSchema, isObjectType, isScalarType } from 'graphql';

/** Gives the types of a schema their resolvers, and its scalars their functions. Throws for a name that it does not have. */
export function attachResolvers(schema: GraphQLSchema, resolvers: Readonly<Record<string, object | undefined>>): void {
  for (const [typeName, members] of Object.entries(resolvers)) {
    const type = schema.getType(typeName);
    if (isScalarType(type)) {
      Object.assign(type, members);
      continue;
    }
    if (!isObjectType(type)) throw new Error(`the schema has no type ${typeName} that takes resolvers`);
    const fields = type.getFields();
    for (const [name, resolve] of Object.entries(members ?? {})) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (!field) throw new Error(`the schema has no field ${typeName}.${name}`);
      field.resolve = resolve as NonNullable<typeof field.resolve>;
    }
  }
}
