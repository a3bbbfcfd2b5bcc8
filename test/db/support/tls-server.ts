import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createCertificateAuthority } from '../../../landscape/tls/certificate-authority.ts';
import type { EmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { eventually } from '../../harness/eventually.ts';
import { testServer } from '../../harness/postgres.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

export interface TlsServer {
  readonly server: EmbeddedPostgres;
  /** PEM files: the authority that signed the server's certificate (for 127.0.0.1 and `localhost`), and another one. */
  readonly authority: string;
  readonly stranger: string;
  /** Which connections pg_hba.conf lets in. */
  accept(kind: 'host' | 'hostssl' | 'hostnossl'): Promise<void>;
}

/** A real server that speaks TLS. */
export async function startTlsServer(): Promise<TlsServer> {
  const server = await testServer();
  const folder = temporaryFolder();
  const authority = createCertificateAuthority({ name: 'authority' });
  const stranger = createCertificateAuthority({ name: 'stranger' });
  const { certificate, key } = authority.issueServerCertificate();
  await asAdministrator(server, async (client) => {
    const { rows } = await client.query(`SELECT current_setting('data_directory') AS directory`);
    const { directory } = rows[0];
    // The server writes its own files, so that they are its user's and nobody else's.
    await writeLines(client, `${directory}/server.crt`, certificate);
    await writeLines(client, `${directory}/server.key`, key);
    await client.query(`ALTER SYSTEM SET ssl = on`);
  });
  const file = (name: string, pem: string) => {
    const location = path.join(folder, name);
    writeFileSync(location, pem);
    return location;
  };
  const accept: TlsServer['accept'] = async (kind) => {
    const before = await asAdministrator(server, async (client) => {
      const { rows } = await client.query(`SELECT current_setting('hba_file') AS file, pg_conf_load_time() AS loaded`);
      // Administration goes over its own database, in any form.
      const rules = `host postgres all 127.0.0.1/32 scram-sha-256\n${kind} all all 127.0.0.1/32 scram-sha-256`;
      await writeLines(client, rows[0].file, rules);
      await client.query('SELECT pg_reload_conf()');
      return rows[0].loaded as Date;
    });
    await eventually('the server to read its configuration', () =>
      asAdministrator(server, async (client) => {
        const { rows } = await client.query('SELECT pg_conf_load_time() AS loaded');
        return rows[0].loaded > before;
      }),
    );
  };
  await accept('host');
  return {
    ...{ server, accept },
    authority: file('authority.pem', authority.certificate),
    stranger: file('stranger.pem', stranger.certificate),
  };
}

async function writeLines(client: pg.Client, file: string, text: string): Promise<void> {
  const lines = client.escapeLiteral(text.trim());
  const program = client.escapeLiteral(`umask 077 && cat > "${file}"`);
  await client.query(`COPY (SELECT string_to_table(${lines}, E'\\n')) TO PROGRAM ${program}`);
}

async function asAdministrator<Result>(
  server: EmbeddedPostgres,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { host, port, user, password } = server;
  const client = new pg.Client({ host, port, user, password: password.reveal(), database: 'postgres' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
