import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { Anchors } from './anchors.ts';
import { cell, code, heading, paragraphs, table } from './markdown.ts';
import { printDefault } from './print-default.ts';

/** One failure of the table in src/domain/failures.ts. */
export interface ErrorRow {
  readonly code: string;
  readonly errorCode: number;
  readonly reason: string;
  readonly actor: string;
  readonly retryable: boolean;
  readonly means: string;
}

type Described = GraphQLArgument | GraphQLInputField | GraphQLField<unknown, unknown>;

/** The page docs/api-reference.md: everything in the schema, in its own words, and every error. */
export function printReference({ schema, errors }: { schema: GraphQLSchema; errors: readonly ErrorRow[] }): string {
  const { query, mutation, subscription, inputs, answers, choices, scalars } = sort(schema);
  const roots = [
    { title: 'Queries', type: query },
    { title: 'Mutations', type: mutation },
    { title: 'Subscriptions', type: subscription },
  ].flatMap(({ title, type }) => (type ? [{ title, type }] : []));
  const kinds = [
    { title: 'Inputs', types: inputs },
    { title: 'Answers', types: answers },
    { title: 'Choices', types: choices },
    { title: 'Scalars', types: scalars },
  ].filter(({ types }) => types.length > 0);

  // In the order of the page: a heading that comes twice gets another anchor the second time.
  const anchors = new Anchors();
  anchors.add('API reference');
  for (const { title, type } of roots) {
    anchors.add(title);
    for (const name of Object.keys(type.getFields())) anchors.add(name);
  }
  for (const { title, types } of kinds) {
    anchors.add(title);
    for (const { name } of types) anchors.add(name, { target: true });
  }

  const link = (type: { toString(): string }) => linkType(String(type), anchors);
  const printRoot = ({ title, type }: (typeof roots)[number]) => [
    heading(2, title),
    ...Object.values(type.getFields()).map((field) => printOperation(field, link)),
  ];
  const printKind = ({ title, types }: (typeof kinds)[number]) => [
    heading(2, title),
    ...types.map((type) => printType(type, schema, link)),
  ];
  return [
    heading(1, 'API reference'),
    'Printed from `schema/` and `src/domain/failures.ts` by `npm run generate`.\n',
    paragraphs(schema.description),
    ...roots.flatMap(printRoot),
    ...kinds.flatMap(printKind),
    printErrors(errors),
  ].join('\n');
}

function sort(schema: GraphQLSchema) {
  const query = schema.getQueryType();
  const mutation = schema.getMutationType();
  const subscription = schema.getSubscriptionType();
  const roots = new Set<GraphQLNamedType | null | undefined>([query, mutation, subscription]);
  const types = Object.values(schema.getTypeMap()).filter((type) => !roots.has(type) && !isIntrospectionType(type));
  return {
    ...{ query, mutation, subscription },
    inputs: types.filter(isInputObjectType),
    answers: types.filter((type) => isObjectType(type) || isInterfaceType(type) || isUnionType(type)),
    choices: types.filter(isEnumType),
    scalars: types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type)),
  };
}

type Link = (type: { toString(): string }) => string;

function printOperation(field: GraphQLField<unknown, unknown>, link: Link): string {
  const signature = field.args.map((each) => `${each.name}: ${link(each.type)}${printDefault(each)}`).join(', ');
  return [
    heading(3, field.name),
    `${code(field.name)}(${signature}): ${link(field.type)}\n`,
    paragraphs(field.description),
    ...(field.args.some(({ description }) => description) ? [printFields(field.args, link)] : []),
  ].join('\n');
}

function printType(type: GraphQLNamedType, schema: GraphQLSchema, link: Link): string {
  return [heading(3, type.name), paragraphs(type.description), printContent(type, schema, link)]
    .filter((part) => part !== '')
    .join('\n');
}

function printContent(type: GraphQLNamedType, schema: GraphQLSchema, link: Link): string {
  if (isUnionType(type)) return `One of ${type.getTypes().map(link).join(', ')}.\n`;
  if (isEnumType(type)) {
    const rows = type.getValues().map(({ name, description }) => [code(name), cell(description)]);
    return table(['Value', 'Meaning'], rows);
  }
  if (isInterfaceType(type)) {
    const { objects } = schema.getImplementations(type);
    return [
      `Answered as ${objects.map(link).join(' or ')}.\n`,
      printFields(Object.values(type.getFields()), link),
    ].join('\n');
  }
  if (isObjectType(type)) return printObject(type, link);
  return isInputObjectType(type) ? printFields(Object.values(type.getFields()), link) : '';
}

/** What an interface tells of its fields is not told again. */
function printObject(type: GraphQLObjectType, link: Link): string {
  const inherited = type.getInterfaces();
  const known = (field: GraphQLField<unknown, unknown>) =>
    inherited.some((each) => {
      const same = each.getFields()[field.name];
      return same !== undefined && (!field.description || field.description === same.description);
    });
  const own = Object.values(type.getFields()).filter((field) => !known(field));
  const fields = own.length > 0 ? printFields(own, link) : '';
  if (inherited.length === 0) return fields;
  return [
    `Has the fields of ${inherited.map(link).join(' and ')}${fields ? ', and of these more is to be said:' : '.'}\n`,
    fields,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function printFields(fields: readonly Described[], link: Link): string {
  const rows = fields.map((field) => [
    code(field.name),
    `${link(field.type)}${printDefault(field)}`,
    cell([field.description, field.deprecationReason && `Deprecated: ${field.deprecationReason}`]),
  ]);
  return table(['Field', 'Type', 'Meaning'], rows);
}

function printErrors(errors: readonly ErrorRow[]): string {
  const rows = errors.map(({ code: name, errorCode, reason, actor, retryable, means }) => [
    ...[code(name), String(errorCode), code(reason), actor, retryable ? 'yes' : 'no', cell(`${means}.`)],
  ]);
  return [
    heading(2, 'Errors'),
    paragraphs(
      'What can go wrong, as `code` in `extensions` of an error and in `lastError` of an operation. The reason may be a more exact one, such as `ERR_INFRA_QUOTA_EXCEEDED` from Gardener. "Who acts" is `actor`, "again" is `retryable`: the same request or operation, later, may succeed.',
    ),
    table(['Code', 'Number', 'Reason', 'Who acts', 'Again', 'Meaning'], rows),
    paragraphs(
      'A request that is no GraphQL request, or asks for what the schema does not have, is answered with status 4xx and `code` `BAD_REQUEST`, `GRAPHQL_PARSE_FAILED` or `GRAPHQL_VALIDATION_FAILED`. All other answers have status 200.',
    ),
  ].join('\n');
}

/** `[Labels!]!` with the name inside as a link; a scalar of GraphQL itself has nothing to link to. */
function linkType(type: string, anchors: Anchors): string {
  return type.replace(/\w+/, (name) => {
    const anchor = anchors.of(name);
    return anchor === undefined ? name : `[${name}](#${anchor})`;
  });
}
