import { readFile, stat } from 'node:fs/promises';
import { Failure } from '../domain/failures.ts';
import { Secret } from '../domain/secret.ts';
import type { ClusterConnection, ConnectionSource } from './cluster-connection.ts';
import { parseKubeconfig } from './kubeconfig.ts';

interface FileSource {
  readonly path: string;
  /** Turns the file's text into a connection; a Failure says what is wrong with it. */
  readonly parse: (text: Secret) => ClusterConnection;
}

/** The connection that a kubeconfig file names, read again whenever the file changes. */
export function kubeconfigFile({ path, context }: { path: string; context?: string }): ConnectionSource {
  return fileConnection({
    path,
    parse: (text) => parseKubeconfig({ text, source: path, ...(context !== undefined && { context }) }),
  });
}

/**
 * The connection that a file holds. Mounted Secrets rotate, so the file's identity is looked at before each use. A new
 * content that cannot be used is refused, but what worked before goes on working until the server refuses it.
 */
export function fileConnection({ path, parse }: FileSource): ConnectionSource {
  let known: { readonly identity: string; readonly text: string; readonly connection: ClusterConnection } | undefined;
  let reading: Promise<ClusterConnection> | undefined;

  async function read(rejected: ClusterConnection | undefined): Promise<ClusterConnection> {
    try {
      const { ino, size, mtimeMs } = await stat(path);
      const identity = `${ino} ${size} ${mtimeMs}`;
      if (known && known.identity === identity && known.connection !== rejected) return known.connection;
      const text = await readFile(path, 'utf8');
      // The same object for the same content: a touched file must not cost new connections.
      const connection = known?.text === text ? known.connection : parse(new Secret(text));
      known = { identity, text, connection };
      return connection;
    } catch (error) {
      if (known && known.connection !== rejected) return known.connection;
      // It worked before, so whoever replaces it is probably not done yet: an operation should wait for that.
      if (known) throw new Error(`${path} cannot be used now`, { cause: error });
      if (error instanceof Failure) throw error;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      throw new Failure('KUBECONFIG_REFUSED', `${path} cannot be read: ${code}`, { cause: error });
    }
  }

  return {
    current({ rejected } = {}) {
      if (rejected) return read(rejected);
      reading ??= read(undefined).finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}
