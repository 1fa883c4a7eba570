import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** The port itself, or a free one for 0. @throws with code `EADDRINUSE` when somebody listens there. */
export async function claimPort(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}
