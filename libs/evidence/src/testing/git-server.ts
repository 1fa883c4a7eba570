import { execFileSync, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';

/** `git http-backend` behind a server on loopback, as a web server would run it. */
export async function gitServer(
  root: string,
  onRequest: (authorization: string | undefined) => void = () => undefined,
): Promise<Server> {
  const backend = join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend');
  const server = createServer((request, response) => {
    onRequest(request.headers.authorization);
    const url = new URL(request.url ?? '/', 'http://x');
    const child = spawn(backend, {
      env: {
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      const headers = all
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]);
      const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
      response.end(all.subarray(end + 4));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}
