/** The part of the Compass Director's published API that concerns Runtimes. */
export const directorSchema = `
scalar Any
scalar Labels
scalar PageCursor
scalar Timestamp

enum RuntimeStatusCondition { INITIAL PROVISIONING CONNECTED FAILED }
enum OneTimeTokenType { APPLICATION RUNTIME }

type Query {
  runtime(id: ID!): Runtime
  runtimes(filter: [LabelFilter!], first: Int = 200, after: PageCursor): RuntimePage!
}

type Mutation {
  registerRuntime(in: RuntimeRegisterInput!): Runtime!
  updateRuntime(id: ID!, in: RuntimeUpdateInput!): Runtime!
  unregisterRuntime(id: ID!): Runtime!
  setRuntimeLabel(runtimeID: ID!, key: String!, value: Any!): Label!
  deleteRuntimeLabel(runtimeID: ID!, key: String!): Label!
  requestOneTimeTokenForRuntime(id: ID!, systemAuthID: ID): OneTimeTokenForRuntime!
  deleteSystemAuthForRuntime(authID: ID!): SystemAuth!
}

input LabelFilter { key: String! query: String }

input RuntimeRegisterInput {
  name: String!
  description: String
  labels: Labels
  webhooks: [WebhookInput!]
  statusCondition: RuntimeStatusCondition
  applicationNamespace: String
}

input RuntimeUpdateInput {
  name: String!
  description: String
  labels: Labels
  statusCondition: RuntimeStatusCondition
  applicationNamespace: String
}

input WebhookInput { type: String! url: String }

type Runtime {
  id: ID!
  name: String!
  description: String
  labels(key: String): Labels
  status: RuntimeStatus!
  metadata: RuntimeMetadata!
  applicationNamespace: String
  auths: [SystemAuth!]
}

type RuntimeStatus { condition: RuntimeStatusCondition! timestamp: Timestamp! }
type RuntimeMetadata { creationTimestamp: Timestamp! }
type RuntimePage { data: [Runtime!]! pageInfo: PageInfo! totalCount: Int! }
type PageInfo { startCursor: PageCursor! endCursor: PageCursor! hasNextPage: Boolean! }
type Label { key: String! value: Any! }

type OneTimeTokenForRuntime {
  token: String!
  connectorURL: String!
  used: Boolean!
  expiresAt: Timestamp
  createdAt: Timestamp
  usedAt: Timestamp
  type: OneTimeTokenType
  raw: String
  rawEncoded: String
}

type SystemAuth { id: ID! auth: Auth }
type Auth { oneTimeToken: OneTimeTokenForRuntime certCommonName: String }
`;
