import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sendRequest, type Answered } from './send-request.js';

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let handle: Handle;
let url: string;
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => handle(request, response, body));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function textOf({ body }: Answered): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

describe('sendRequest', () => {
  it('sends method, headers and body as fetch would, and hands the answer on as it came', async () => {
    const seen: unknown[] = [];
    handle = ({ method, url: path, headers }, response, body) => {
      seen.push(method, path, headers['x-key'], headers['content-length'], body);
      response.writeHead(201, { 'Content-Type': 'application/json', 'x-two': ['a', 'b'] }).end('{"ä":1}');
    };
    const headers = new Headers({ 'x-key': 'k' });
    const answer = await sendRequest(`${url}/v1/chat?x=1`, { method: 'POST', headers, body: 'hü' });
    expect(seen).toEqual(['POST', '/v1/chat?x=1', 'k', '3', 'hü']);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'application/json']);
    expect([answer.headers.get('X-Two'), answer.headers.get('x-none')]).toEqual(['a, b', null]);
    expect(await textOf(answer)).toBe('{"ä":1}');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('unpacks what comes as %s though it was not requested', async (encoding, packed) => {
    handle = ({ headers }, response) => {
      expect(headers['accept-encoding']).toBeUndefined();
      response.writeHead(200, { 'content-encoding': encoding }).end(packed('packed answer'));
    };
    expect(await textOf(await sendRequest(url))).toBe('packed answer');
  });

  it.each(['constructor', '__proto__', 'toString', 'none'])(
    'passes a body on as it came when its encoding is unknown (%s)',
    async (encoding) => {
      handle = (_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end('as it came');
      };
      expect(await textOf(await sendRequest(url))).toBe('as it came');
    },
  );

  it('fails while it is read where it is cut, or is not packed as it says', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    };
    const cut = await sendRequest(url);
    await expect(textOf(cut)).rejects.toThrow();
    handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
    const broken = await sendRequest(url);
    await expect(textOf(broken)).rejects.toThrow();
  });

  it('follows no redirect', async () => {
    handle = (_request, response) => response.writeHead(307, { location: `${url}/elsewhere` }).end();
    expect((await sendRequest(url, { method: 'POST', body: 'secret' })).status).toBe(307);
  });

  it('ends on request, before the answer and within it', async () => {
    handle = (_request, response) => response.writeHead(200).write('first');
    const stop = new AbortController();
    const answer = await sendRequest(url, { signal: stop.signal });
    const reading = textOf(answer);
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow();
    handle = () => undefined;
    const silent = new AbortController();
    const waiting = sendRequest(url, { signal: silent.signal });
    silent.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(sendRequest(url, { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('says what is wrong where nothing listens, and of a body that it cannot send', async () => {
    await expect(sendRequest('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(sendRequest('no address')).rejects.toThrow('Invalid URL');
    await expect(sendRequest(url, { body: new FormData() })).rejects.toThrow('a body is text or bytes');
  });

  it('uses a connection again', async () => {
    const sockets = new Set<unknown>();
    handle = ({ socket }, response) => {
      sockets.add(socket);
      response.end('x');
    };
    for (let i = 0; i < 5; i += 1) expect(await textOf(await sendRequest(url))).toBe('x');
    expect(sockets.size).toBe(1);
  });
});
