import { createHash } from 'node:crypto';
import tls from 'node:tls';
import { Faults } from '../../landscape/control/faults.ts';
import { RequestLog } from '../../landscape/control/request-log.ts';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { startWebServer, type WebRequest, type WebResponse } from '../../landscape/web-server.ts';
import type { ArtifactReference } from '../../src/kyma/artifacts.ts';

export interface ArtifactServer {
  readonly url: string;
  readonly host: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  /** Serves `content` under `path`, and answers what a catalogue would say of it. */
  publish(path: string, content: string): ArtifactReference;
  answer(path: string, response: WebResponse | ((request: WebRequest) => WebResponse)): void;
  close(): Promise<void>;
}

/** An HTTPS server of files, trusted by this process. */
export async function startArtifactServer(): Promise<ArtifactServer> {
  const authority = await createCertificateAuthority({ name: 'artifact-test' });
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.certificate]);
  const { key, certificate } = await authority.issueServerCertificate();
  const answers = new Map<string, WebResponse | ((request: WebRequest) => WebResponse)>();
  const faults = new Faults();
  const requests = new RequestLog();
  const server = await startWebServer({
    port: 0,
    credentials: { key, cert: certificate },
    faults,
    requests,
    routes: () => [
      {
        prefix: '/',
        target: 'artifacts',
        handle(request) {
          const answer = answers.get(request.path) ?? { status: 404, body: 'no such file' };
          return typeof answer === 'function' ? answer(request) : answer;
        },
      },
    ],
  });
  return {
    url: server.url,
    host: new URL(server.url).host,
    faults,
    requests,
    publish(path, content) {
      answers.set(path, { status: 200, body: content });
      return { url: `${server.url}${path}`, sha256: createHash('sha256').update(content).digest('hex') };
    },
    answer: (path, response) => void answers.set(path, response),
    close: () => server.close(),
  };
}
