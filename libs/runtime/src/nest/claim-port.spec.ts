import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { claimPort, listenerOn } from './claim-port.js';

const HOST = '127.0.0.1';

/** Starts a service that answers its probe with this status and text. */
async function listening(status: number, text: string) {
  const server = createServer((_request, response) => response.writeHead(status).end(text));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

describe('a port that a service is to listen on', () => {
  it('is taken by the process that listens there, with its number and command line', async () => {
    const { server, port } = await listening(200, 'ok');
    await expect(claimPort(port, HOST)).rejects.toMatchObject({
      reasonCode: 'port_in_use',
      message: expect.stringMatching(
        new RegExp(`^port ${port} is taken by process ${process.pid} \\(.*node`),
      ),
    });
    server.close();
  });

  it('is waited for while a service that stops still listens there', async () => {
    const { server, port } = await listening(503, '{"detail":"the service is stopping"}');
    let probes = 0;
    server.on('request', (_request, response) => {
      probes += 1;
      if (probes === 2) response.once('close', () => server.close());
    });
    expect(await claimPort(port, HOST)).toBe(port);
  });

  it('is a free one for 0, and nothing listens there yet', async () => {
    const port = await claimPort(0, HOST);
    expect(port).toBeGreaterThan(0);
    expect(await listenerOn(port)).toBeNull();
  });
});
