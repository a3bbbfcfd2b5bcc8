import net, { type AddressInfo } from 'node:net';
import { after } from 'node:test';

export interface LossyProxy {
  readonly host: string;
  readonly port: number;
  /** How many replies were lost so far. */
  lost(): number;
}

/**
 * Stands between a client and its server. A request whose bytes contain one of `losesReplyTo` reaches the server and is
 * carried out there, but the connection breaks before the reply comes back: `times` times for each text. Closed when the
 * file ends.
 */
export async function startLossyProxy(options: {
  readonly target: { readonly host: string; readonly port: number };
  readonly losesReplyTo: readonly string[];
  readonly times: number;
}): Promise<LossyProxy> {
  const { target, losesReplyTo } = options;
  const sockets = new Set<net.Socket>();
  const left = new Map(losesReplyTo.map((text) => [text, options.times]));
  let lost = 0;
  const server = net.createServer((client) => {
    const upstream = net.connect(target);
    let losing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      for (const [wanted, times] of left) {
        if (times === 0 || !text.includes(`${wanted}\0`)) continue;
        left.set(wanted, times - 1);
        losing = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!losing) {
        client.write(bytes);
        return;
      }
      lost += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    lost: () => lost,
  };
}
