import { randomBytes } from 'node:crypto';
import { buildSchema, graphql } from 'graphql';
import type { CertificateAuthority } from '../tls/certificate-authority.ts';
import type { WebRequest, WebResponse } from '../web-server.ts';
import { jsonResponse } from '../web-server.ts';
import { readCertificateRequest } from './certificate-request.ts';
import type { Director } from './director.ts';
import type { SystemAuth } from './one-time-tokens.ts';

const schema = buildSchema(`
type Query { configuration: Configuration! }
type Mutation { signCertificateSigningRequest(csr: String!): CertificationResult! }
type Configuration {
  token: Token
  certificateSigningRequestInfo: CertificateSigningRequestInfo!
  managementPlaneInfo: ManagementPlaneInfo!
}
type Token { token: String! }
type CertificateSigningRequestInfo { subject: String! keyAlgorithm: String! }
type ManagementPlaneInfo { directorURL: String certificateSecuredConnectorURL: String }
type CertificationResult { certificateChain: String! caCertificate: String! clientCertificate: String! }
`);

const certificateLifetimeSeconds = 2160 * 60 * 60;
const certificateApi = 'Compass';

export interface ConnectorOptions {
  readonly director: Director;
  readonly authority: CertificateAuthority;
  readonly url: string;
  readonly directorURL: string;
}

/** The Compass Connector: a one-time token buys its configuration and a second token, that one a client certificate. */
export class Connector {
  readonly url: string;
  readonly directorURL: string;
  readonly #director: Director;
  readonly #authority: CertificateAuthority;
  readonly #signingTokens = new Map<string, SystemAuth>();

  constructor({ director, authority, url, directorURL }: ConnectorOptions) {
    this.#director = director;
    this.#authority = authority;
    this.url = url;
    this.directorURL = directorURL;
  }

  /** `POST /connector/graphql` with the header `Connector-Token`. */
  async handle(request: WebRequest): Promise<WebResponse> {
    const token = request.headers['connector-token'];
    const body = parseBody(request.body);
    if (!body) return jsonResponse(400, { errors: [{ message: 'json body could not be decoded' }] });
    const given = typeof token === 'string' ? token : '';
    const result = await graphql({
      schema,
      source: body.query,
      variableValues: body.variables,
      rootValue: {
        configuration: () => this.#configuration(given),
        signCertificateSigningRequest: ({ csr }: { csr: string }) => this.#sign(given, csr),
      },
    });
    return jsonResponse(200, result);
  }

  /** Both calls in one, with a new key, for an agent in this process. Throws what the Connector answers. */
  exchange(token: string) {
    const auth = this.#spend(this.#openSigning(token));
    const issued = this.#authority.issueClientCertificate(this.#subject(auth));
    auth.certCommonName = auth.id;
    auth.token = undefined;
    const authority = this.#authority.certificate;
    return {
      certificate: issued.certificate,
      key: issued.key,
      chain: issued.certificate + authority,
      authority,
      notBefore: new Date(),
      notAfter: issued.expiresAt,
    };
  }

  #configuration(token: string) {
    return {
      token: { token: this.#openSigning(token) },
      certificateSigningRequestInfo: { subject: `O=Compass,OU=${certificateApi},CN=runtime`, keyAlgorithm: 'rsa4096' },
      managementPlaneInfo: { directorURL: this.directorURL, certificateSecuredConnectorURL: this.url },
    };
  }

  /** Burns the one-time token; answers the token for the signing. */
  #openSigning(token: string): string {
    const auth = this.#director.oneTimeTokens.use(token);
    if (!auth) throw new Error('Failed to get authentication data: token is invalid, used or expired');
    const signingToken = randomBytes(32).toString('base64url');
    this.#signingTokens.set(signingToken, auth);
    return signingToken;
  }

  #spend(signingToken: string): SystemAuth {
    const auth = this.#signingTokens.get(signingToken);
    this.#signingTokens.delete(signingToken);
    if (!auth) throw new Error('Failed to get authentication data: token is invalid, used or expired');
    return auth;
  }

  #sign(signingToken: string, csr: string) {
    const auth = this.#spend(signingToken);
    const publicKey = readCertificateRequest(csr);
    if (!publicKey) throw new Error('Error occurred while parsing the certificate signing request');
    const { certificate } = this.#authority.certifyClient({ ...this.#subject(auth), publicKey });
    auth.certCommonName = auth.id;
    auth.token = undefined;
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const authority = this.#authority.certificate;
    return {
      certificateChain: encode(certificate + authority),
      caCertificate: encode(authority),
      clientCertificate: encode(certificate),
    };
  }

  #subject(auth: SystemAuth) {
    return { user: auth.id, groups: ['Compass'], api: certificateApi, lifetimeSeconds: certificateLifetimeSeconds };
  }
}

function parseBody(text: string): { query: string; variables?: Record<string, unknown> } | undefined {
  try {
    const { query, variables } = JSON.parse(text) ?? {};
    return typeof query === 'string' ? { query, ...(variables ? { variables } : {}) } : undefined;
  } catch {
    return undefined;
  }
}
