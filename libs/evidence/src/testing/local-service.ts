import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '@casefile/contracts';

/** Response of a service to one request; `body` is the request's body. */
export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => void | Promise<void>;

export interface LocalService {
  baseUrl: string;
  /** The requests so far, for example `GET /domains/x`. */
  requests: { line: string; headers: IncomingMessage['headers']; body: string }[];
  /** Sets the response to further requests. */
  answer(next: Answer): void;
  close(): Promise<void>;
}

/** A loopback server that replaces an outside service and can misbehave. */
export async function startLocalService(first: Answer): Promise<LocalService> {
  let current = first;
  const requests: LocalService['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      void current(request, response, body);
    });
    response.on('error', () => undefined);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => void (current = next),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Answers with JSON. */
export function json(body: Json, status = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers with anything. */
export function raw(body: string, status = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
