import { createServer } from 'node:net';

/** `wanted` when nothing listens there, any free port otherwise. */
export async function freePort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const server = createServer();
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!listening) continue;
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    if (address !== null && typeof address === 'object') return address.port;
  }
  throw new Error('no free port on 127.0.0.1');
}
