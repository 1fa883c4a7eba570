import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The kinds of wrong answer that a server may give to a request. */
export const WRONG_ANSWERS = [
  'JSON-RPC error',
  'other protocol version',
  '3xx',
  '4xx',
  '5xx',
  'not JSON',
  'connection closed',
  'no answer',
] as const;
export type WrongAnswer = (typeof WRONG_ANSWERS)[number];

/** The messages of a client that a server answers. `DELETE` ends a session. */
export const MCP_METHODS = [
  'initialize',
  'notifications/initialized',
  'tools/list',
  'tools/call',
  'ping',
  'DELETE',
] as const;
export type McpMethod = (typeof MCP_METHODS)[number];

export interface McpHttpServer {
  url: string;
  /** The listed tools. */
  tools: object[];
  /** Tools per page of its list. */
  pageSize: number;
  /** Results as JSON texts, by method, that are sent unchanged. */
  raw: Map<string, string>;
  /** Methods that get wrong answers from now on. */
  wrong: Map<string, WrongAnswer>;
  /** The requested methods, in order. */
  methods: string[];
  /** Refuses every connection, as if the server had ended. */
  isDown: boolean;
  /** Forgets its sessions, as a restart does. */
  forget(): void;
  close(): Promise<void>;
}

interface Message {
  id?: number | string;
  method: string;
  params?: { name?: string; cursor?: string };
}

const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * A small MCP server over streamable HTTP, on loopback.
 * @param options.events Answers requests with a stream of events, as most servers do, instead of a JSON body.
 * @param options.elsewhere The target of its redirects.
 */
export async function startMcpHttpServer(
  tools: object[],
  { events = false, elsewhere = 'http://127.0.0.1:9/' } = {},
): Promise<McpHttpServer> {
  const sessions = new Set<string>();
  const made: Omit<McpHttpServer, 'url'> = {
    tools,
    pageSize: Number.POSITIVE_INFINITY,
    raw: new Map(),
    wrong: new Map(),
    methods: [],
    isDown: false,
    forget: () => sessions.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const results: Record<string, (message: Message, response: ServerResponse) => object> = {
    initialize: (_message, response) => {
      const session = randomUUID();
      sessions.add(session);
      response.setHeader('mcp-session-id', session);
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'test', version: '1' },
      };
    },
    ping: () => ({}),
    'tools/list': ({ params }) => {
      const from = Number(params?.cursor ?? 0);
      const to = from + made.pageSize;
      const next = to < made.tools.length ? { nextCursor: String(to) } : {};
      return { tools: made.tools.slice(from, to), ...next };
    },
    'tools/call': ({ params }) => ({ content: [{ type: 'text', text: `said ${params?.name}` }] }),
  };
  const answer = (request: IncomingMessage, response: ServerResponse, message: Message): void => {
    const { id, method } = message;
    made.methods.push(method);
    if (made.isDown) return void request.socket.destroy();
    const wrong = made.wrong.get(method);
    if (wrong !== undefined)
      return answerWrongly(wrong, message, {
        request,
        response,
        events: events && id !== undefined,
        elsewhere,
      });
    const session = String(request.headers['mcp-session-id']);
    const opens = method === 'initialize' || method === 'server/discover';
    if (!opens && !sessions.has(session)) return void response.writeHead(404).end('no such session');
    if (method === 'DELETE') sessions.delete(session);
    if (id === undefined) return void response.writeHead(method === 'DELETE' ? 200 : 202).end();
    const raw = made.raw.get(method);
    if (raw !== undefined)
      return send(response, events, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${raw}}`);
    const result = results[method]?.(message, response);
    const error = { code: -32_601, message: 'Method not found' };
    write(response, events, { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.method === 'GET') return void response.writeHead(405).end();
      const isDelete = request.method === 'DELETE';
      const message = isDelete
        ? { method: 'DELETE' }
        : (JSON.parse(Buffer.concat(parts).toString()) as Message);
      answer(request, response, message);
    });
    response.on('error', () => undefined);
  });
  // A connection closed while the next request is on its way would also be a wrong answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(made, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  events: boolean;
  elsewhere: string;
}

function answerWrongly(kind: WrongAnswer, { id, method }: Message, exchange: Exchange): void {
  const { request, response, events, elsewhere } = exchange;
  const refuse = (message: string) =>
    response
      .writeHead(400, JSON_TYPE)
      .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message } }));
  const answers: Record<WrongAnswer, () => void> = {
    'JSON-RPC error': () => {
      const error = { code: -32_603, message: 'broken inside' };
      // A message without an id is refused by status.
      if (id === undefined) refuse(error.message);
      else write(response, events, { jsonrpc: '2.0', id, error });
    },
    'other protocol version': () => {
      if (method !== 'initialize') return refuse('Bad Request: Unsupported protocol version');
      const serverInfo = { name: 'old', version: '1' };
      const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo };
      return write(response, events, { jsonrpc: '2.0', id, result });
    },
    '3xx': () => response.writeHead(307, { location: elsewhere }).end(),
    '4xx': () => response.writeHead(404).end('not found'),
    '5xx': () => response.writeHead(503).end('overloaded'),
    'not JSON': () => {
      if (events) response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: <html>\n\n');
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    },
    'connection closed': () => {
      if (!events) return request.socket.destroy();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write(': soon\n\n', () => request.socket.destroy());
    },
    'no answer': () => {
      if (events) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': soon\n\n');
    },
  };
  answers[kind]();
}

function write(response: ServerResponse, events: boolean, message: object): void {
  send(response, events, JSON.stringify(message));
}

function send(response: ServerResponse, events: boolean, text: string): void {
  if (events)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: message\ndata: ${text}\n\n`);
  else response.writeHead(200, JSON_TYPE).end(text);
}

/** The result of a call with this many empty objects, as a JSON text. */
export function manyValues(values: number): string {
  return `{"content":[],"structuredContent":{"a":[${'{},'.repeat(values - 1)}{}]}}`;
}
