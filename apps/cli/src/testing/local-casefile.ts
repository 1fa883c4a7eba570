import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ShownCase } from '../client/console-client.js';

/** A server that answers like intake and console, with data from a test. */
export interface LocalCasefile {
  url: string;
  /** Submitted alerts, one entry per request. */
  submitted: { body: unknown; key: string | undefined; again: string | null; lane: string | null }[];
  cases: Map<string, ShownCase>;
  /** Path and query of each request for the list of cases. */
  lists: string[];
  /** Ids of the stream's events. Each connection is closed after `eventsPerConnection` events. */
  events: string[];
  eventsPerConnection: number;
  /** `Last-Event-ID` of each connection. */
  connections: (string | null)[];
  close(): Promise<void>;
}

export async function startLocalCasefile(): Promise<LocalCasefile> {
  const server = createServer((request, response) => void answer(local, request, response));
  const local: LocalCasefile = {
    url: '',
    submitted: [],
    cases: new Map(),
    lists: [],
    events: [],
    eventsPerConnection: 1,
    connections: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  local.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return local;
}

async function answer(
  local: LocalCasefile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url ?? '';
  if (path.split('?')[0] === '/v1/alerts') return takeAlerts(local, request, response);
  if (path.startsWith('/api/v1/events')) return sendEvents(local, request, response);
  if (path.startsWith('/api/v1/cases?')) {
    local.lists.push(path);
    return send(response, 200, listed(local));
  }
  const shownCase = local.cases.get(path.split('/').at(-1) ?? '');
  if (shownCase === undefined)
    return problem(response, 404, { reasonCode: 'unknown_case', detail: 'no case has this id' });
  send(response, 200, shownCase);
}

// Newest first, with the fields that the client reads.
function listed({ cases }: LocalCasefile): object {
  return { cases: [...cases.keys()].reverse().map((caseId) => ({ caseId })), nextCursor: null };
}

async function takeAlerts(
  local: LocalCasefile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await json(request);
  const { searchParams } = new URL(request.url ?? '', local.url);
  const [again, lane] = [searchParams.get('again'), searchParams.get('lane')];
  local.submitted.push({ body, key: request.headers['idempotency-key'] as string | undefined, again, lane });
  if (Array.isArray(body)) return send(response, 202, { results: body.map(acceptance) });
  const one = acceptance(body, 0);
  if ('problem' in one) return problem(response, 400, one.problem);
  send(response, 202, one);
}

type Acceptance =
  | { index: number; problem: object }
  | { index: number; caseId: string; runId: string; alertId: string; joined: boolean; verdictOf?: object };

/** Text of an alert for which the server already has a verdict. */
export const JUDGED = 'judged before';
const EARLIER = {
  runId: 'run-0',
  decidedAt: '2026-01-05T10:00:00.000Z',
  degraded: true,
  degradedNote: 'model out',
};

function acceptance(alert: unknown, index: number): Acceptance {
  const { text } = alert as { text?: string };
  if (text !== undefined) {
    const accepted = { index, alertId: 'a', caseId: `case-${index}`, runId: `run-${index}` };
    return text === JUDGED
      ? { ...accepted, joined: true, verdictOf: EARLIER }
      : { ...accepted, joined: false };
  }
  const errors = [{ path: 'text', message: 'is missing' }];
  const words = { type: 'urn:x', title: 't', reasonCode: 'invalid_input', detail: 'not valid' };
  return { index, problem: { ...words, status: 400, errors } };
}

function sendEvents(local: LocalCasefile, request: IncomingMessage, response: ServerResponse): void {
  const last = (request.headers['last-event-id'] as string | undefined) ?? null;
  local.connections.push(last);
  const from = last === null ? 0 : local.events.indexOf(last) + 1;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const id of local.events.slice(from, from + local.eventsPerConnection)) {
    response.write(
      `id: ${id}\nevent: stage.completed\ndata: ${JSON.stringify({ id, type: 'stage.completed', data: {} })}\n\n`,
    );
  }
  response.end();
}

function problem(response: ServerResponse, status: number, facts: object): void {
  send(response, status, { type: 'urn:x', title: 't', ...facts, status });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
