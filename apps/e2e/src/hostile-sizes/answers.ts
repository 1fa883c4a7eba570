import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { silentLogger } from '@casefile/contracts';
import { OidcClient } from '@casefile/console/access/oidc-client';
import { createGuardedFetch, createGuardedPost, createGuardedRead } from '@casefile/evidence';
import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { MOST_SILENCE_BYTES, silencesIn, systemClock } from '@casefile/runtime';
import type { Attack, HostileInput } from './hostile-input.js';

const PIECE = Buffer.alloc(65_536, ' ');
/** Empty objects of two megabytes, the most that is read of an answer of a service or a model. */
const MANY = `[${'{},'.repeat(660_000)}{}]`;

type Answer = (response: ServerResponse, full: boolean) => void;

function send(type: string, body: () => string | Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': type, ...headers });
    response.end(body());
  };
}

/** Writes until the client closes the connection. */
function endless(type: string, piece: Buffer = PIECE): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': type });
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const bomb = (full: boolean) => gzipSync(Buffer.alloc(full ? 300_000_000 : 60_000_000, ' '));
const gzipped: Answer = (response, full) =>
  send(JSON_TYPE, () => bomb(full), { 'content-encoding': 'gzip' })(response, full);

/** Answers of other systems, by what they are, with what reads them. */
const ANSWERS: Record<string, [Answer, (url: string) => Promise<Attack>]> = {
  'Model: two megabytes of empty objects': [send(JSON_TYPE, () => MANY), asModel],
  'Model: an event of two megabytes of empty objects': [
    send(STREAM_TYPE, () => `data: ${MANY}\n\n`),
    asStreamedModel,
  ],
  'Model: an endless stream of events': [
    endless(STREAM_TYPE, Buffer.from('data: {"choices":[]}\n\n'.repeat(3_000))),
    asStreamedModel,
  ],
  'Model: an endless answer': [endless(JSON_TYPE), asModel],
  'Service: two megabytes of empty objects': [send(JSON_TYPE, () => MANY), asService],
  'Service: a gzip bomb': [gzipped, asService],
  'Receiver: an endless answer': [endless('text/plain'), asReceiver],
  'Receiver: a gzip bomb': [gzipped, asReceiver],
  'Sign-in: an endless document': [endless(JSON_TYPE), asSignIn],
  'Sign-in: a gzip bomb': [gzipped, asSignIn],
  'Alertmanager: four megabytes of empty objects': [
    send(JSON_TYPE, () => `[${'{},'.repeat(1_300_000)}{}]`),
    asAlertmanager,
  ],
  'Alertmanager: a gzip bomb': [gzipped, asAlertmanager],
};

export const answers: readonly HostileInput[] = Object.entries(ANSWERS).map(([name, [answer, serve]]) => ({
  name,
  offer: async (_folder, full) => {
    const server = createServer((request, response) => {
      response.on('error', () => undefined);
      request.resume().on('end', () => answer(response, full));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      place: `http://127.0.0.1:${port}`,
      close: async () => {
        server.close();
        server.closeAllConnections();
      },
    };
  },
  serve,
}));

/** An answer of a tool's service has at most this time. */
const within = (ms = 30_000) => ({ signal: AbortSignal.timeout(ms), clock: systemClock });
const reasonOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );

function asModel(url: string): Promise<Attack> {
  return model(url, false);
}

function asStreamedModel(url: string): Promise<Attack> {
  return model(url, true);
}

async function model(baseUrl: string, stream: boolean): Promise<Attack> {
  const entry = { protocol: 'openai-chat' as const, model: 'any', keyVariable: 'KEY', baseUrl, stream };
  const table = readProviderTable({ hostile: { ...entry, timeoutMs: 30_000 } });
  const resolved = resolveProvider({ table, name: 'hostile', env: { KEY: 'made-up' } });
  const asked = createLanguageModel(resolved.entry, { apiKey: resolved.apiKey, clock: systemClock });
  const request = {
    promptId: 'test@1',
    kind: 'answer' as const,
    messages: [{ role: 'user' as const, content: 'Hello' }],
    maxOutputTokens: 100,
  };
  const options = { signal: new AbortController().signal, callKey: 'run-1/unit/reason/1/0/1' };
  return () => reasonOf(asked.complete(request, options));
}

async function asService(baseUrl: string): Promise<Attack> {
  const fetch = createGuardedFetch({ baseUrl });
  return () => reasonOf(fetch({ path: '/' }, within()));
}

async function asReceiver(url: string): Promise<Attack> {
  const client = createGuardedPost({ timeoutMs: 10_000, maxBytes: 2_000, clock: systemClock });
  await client.load();
  // An answer of any length is taken: its first bytes are kept.
  return async () => {
    const { text } = await client.post(url, { headers: {}, body: '{}' }, true);
    return `${text.length} bytes were read`;
  };
}

async function asSignIn(issuer: string): Promise<Attack> {
  const settings = {
    clientId: 'c',
    clientSecret: null,
    scopes: ['openid'],
    groupsClaim: 'groups',
    roles: {},
  };
  const client = new OidcClient(
    { ...settings, issuer, nameClaim: 'email', publicUrl: 'http://127.0.0.1:3000' },
    { clock: systemClock, log: silentLogger },
  );
  return () => reasonOf(client.begin('/'));
}

async function asAlertmanager(baseUrl: string): Promise<Attack> {
  const read = createGuardedRead({ baseUrl, maxBytes: MOST_SILENCE_BYTES });
  return () => reasonOf(read({ path: '/' }, within()).then(({ bytes }) => silencesIn(bytes)));
}
