import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { isRecord } from '../domain/json.ts';

/**
 * Mutations as clients of 2019 write them: `{ provisionRuntime(...) }`, without a selection set, answered with the
 * operation's id as a text, or `cleanupRuntimeData` with that of the Runtime. The document is completed before it is validated, and the answer shortened again. The alias
 * is new with each process, so that nobody can mean it.
 */
const alias = `operation_${crypto.randomUUID().replaceAll('-', '')}`;
const resultTypes = ['OperationStatus', 'CleanUpRuntimeDataResult'];

type Changing<Node> = { -readonly [Field in keyof Node]: Node[Field] };

/** Changes the document: selects the id in each mutation that answered a text in 2019 and that selects nothing. */
export function completeBareOperations(schema: GraphQLSchema, document: DocumentNode): void {
  for (const definition of document.definitions) {
    if (isOnMutation(definition, schema)) completeFields(schema, definition.selectionSet);
  }
}

/** Changes the answer to a document that was completed: a result whose id alone was meant becomes that id. */
export function shortenBareOperations(data: Record<string, unknown> | null | undefined): void {
  if (!data) return;
  for (const [key, value] of Object.entries(data)) {
    if (isRecord(value) && alias in value) data[key] = value[alias];
  }
}

function isOnMutation(
  definition: DocumentNode['definitions'][number],
  schema: GraphQLSchema,
): definition is Extract<typeof definition, { selectionSet: SelectionSetNode }> {
  if (definition.kind === Kind.OPERATION_DEFINITION) return definition.operation === OperationTypeNode.MUTATION;
  return definition.kind === Kind.FRAGMENT_DEFINITION && isMutationType(definition, schema);
}

function isMutationType({ typeCondition }: Pick<FragmentDefinitionNode, 'typeCondition'>, schema: GraphQLSchema) {
  return typeCondition.name.value === schema.getMutationType()?.name;
}

function completeFields(schema: GraphQLSchema, { selections }: SelectionSetNode): void {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) completeFields(schema, selection.selectionSet);
    if (selection.kind !== Kind.FIELD || selection.selectionSet) continue;
    const field = Object.hasOwn(fields, selection.name.value) ? fields[selection.name.value] : undefined;
    if (field && resultTypes.includes(getNamedType(field.type).name))
      (selection as Changing<FieldNode>).selectionSet = justTheId;
  }
}

const justTheId: SelectionSetNode = {
  kind: Kind.SELECTION_SET,
  selections: [
    {
      kind: Kind.FIELD,
      alias: { kind: Kind.NAME, value: alias },
      name: { kind: Kind.NAME, value: 'id' },
    },
  ],
};
