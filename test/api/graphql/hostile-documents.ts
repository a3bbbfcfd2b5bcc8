const times = (count: number, part: string | ((index: number) => string)) =>
  Array.from({ length: count }, (_, index) => (typeof part === 'string' ? part : part(index))).join(' ');
const status = (inside: string) => `{ runtimeStatus(id: "x") { ${inside} } }`;

/** What the limit that refuses a document is called, or the words by which GraphQL's own rules refuse it. */
export interface HostileDocument {
  readonly name: string;
  readonly document: string;
  readonly refusedBy: { readonly limit: string } | RegExp;
}

/** Documents that are small to send and would be dear to check or to answer. */
export const hostileDocuments: readonly HostileDocument[] = [
  {
    name: 'one field thousands of times, which validation compares in pairs',
    document: status(`lastOperationStatus { ${times(9_000, 'state')} }`),
    refusedBy: { limit: 'selections' },
  },
  {
    name: 'as many fields as may be, all the same one',
    document: status(times(480, 'lastOperationStatus { state }')),
    refusedBy: /Validation aborted/,
  },
  {
    name: 'fragments, of which each holds the next one twice',
    document: `${status('...F0')} ${times(60, (index) => `fragment F${index} on RuntimeStatus { ...F${index + 1} ...F${index + 1} }`)}
      fragment F60 on RuntimeStatus { lastOperationStatus { state } }`,
    refusedBy: { limit: 'cost' },
  },
  {
    name: 'fragments in a circle',
    document: `${status('...A')} fragment A on RuntimeStatus { ...B } fragment B on RuntimeStatus { ...A }`,
    refusedBy: /Cannot spread fragment "A" within itself/,
  },
  {
    name: 'more fragments than anybody needs, none of them used',
    document: `{ __typename } ${times(1_000, (index) => `fragment F${index} on Query { __typename }`)}`,
    refusedBy: { limit: 'selections' },
  },
  {
    name: 'selections within selections, deeper than the stack',
    document: `${times(3_300, '{ a')} ${times(3_300, '}')}`,
    refusedBy: { limit: 'depth' },
  },
  {
    name: 'lists within lists, deeper than the stack',
    document: `{ runtimes(filter: { labels: ${'['.repeat(4_900)}${']'.repeat(4_900)} }) { nodes { id } } }`,
    refusedBy: { limit: 'depth' },
  },
  {
    name: 'more tokens than may be',
    document: `{ runtimes(filter: { state: [${times(10_000, 'Failed')}] }) { nodes { id } } }`,
    refusedBy: { limit: 'tokens' },
  },
  {
    name: 'thousands of values that do not exist',
    document: `{ runtimes(filter: { state: [${times(9_000, 'Nope')}] }) { nodes { id } } }`,
    refusedBy: /Value "Nope" does not exist/,
  },
  {
    name: 'thousands of names that are nearly right, for which the right one is looked for',
    document: `{ runtimes(filter: { ${times(2_400, (index) => `stat${index}: Failed`)} }) { nodes { id } } }`,
    refusedBy: /Field "stat0" is not defined/,
  },
  {
    name: 'thousands of variables',
    document: `query (${times(1_400, (index) => `$v${index}: String`)}) { __typename }`,
    refusedBy: /Variable "\$v0" is never used/,
  },
  {
    name: 'thousands of directives',
    document: `{ __typename ${times(3_300, '@a')} }`,
    refusedBy: /Unknown directive "@a"/,
  },
  {
    name: 'the same value under hundreds of names',
    document: status(`lastOperationStatus { ${times(300, (index) => `a${index}: state`)} }`),
    refusedBy: { limit: 'aliases' },
  },
  {
    name: 'hundreds of statuses at once',
    document: `{ ${times(101, (index) => `a${index}: runtimeStatus(id: "x") { lastOperationStatus { state } }`)} }`,
    refusedBy: { limit: 'rootFields' },
  },
  {
    name: 'hundreds of statuses at once, out of fragments',
    document: `{ ${times(51, '...F')} } fragment F on Query { ...G ...G } fragment G on Query { __typename }`,
    refusedBy: { limit: 'rootFields' },
  },
  {
    name: 'large pages under many names',
    document: `{ ${times(50, (index) => `a${index}: runtimes(first: 200) { nodes { id name labels region provider } }`)} }`,
    refusedBy: { limit: 'cost' },
  },
  {
    name: 'pages whose size is a variable',
    document: `query ($n: Int!) { ${times(50, (index) => `a${index}: runtimes(first: $n) { nodes { id name labels region provider } }`)} }`,
    refusedBy: { limit: 'cost' },
  },
  {
    name: 'a kubeconfig of each of many clusters',
    document: `{ ${times(100, (index) => `a${index}: runtimeStatus(id: "x") { runtimeConfiguration { kubeconfig } }`)} }`,
    refusedBy: { limit: 'cost' },
  },
  {
    name: 'the whole schema many times',
    document: `{ ${times(3, (index) => `a${index}: __schema { types { name } }`)} }`,
    refusedBy: { limit: 'cost' },
  },
  {
    name: 'the schema in circles',
    document: '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }',
    refusedBy: /Maximum introspection depth exceeded/,
  },
];
