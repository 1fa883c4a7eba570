import { setImmediate } from 'node:timers/promises';
import { json, raw, type Answer } from './local-service.js';

export interface Misbehaviour {
  name: string;
  answer: Answer;
  /** The gap's reason. */
  reasonCode: string;
  /** Whether the call is retried. */
  triedAgain: boolean;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAMED = 100_000_000;

/** Bytes of the endless body that the last client read before it disconnected. */
export const flood = { sent: 0, total: STREAMED };

/** All kinds of wrong answers of an outside service, and the resulting gaps. */
export const MISBEHAVIOURS: Misbehaviour[] = [
  { name: 'never answers', answer: () => undefined, reasonCode: 'timeout', triedAgain: true },
  { name: 'stops in the middle of a body', answer: stall, reasonCode: 'timeout', triedAgain: true },
  {
    name: 'cuts the connection at once',
    answer: (r) => void r.socket.destroy(),
    reasonCode: 'network',
    triedAgain: true,
  },
  { name: 'cuts the connection in a body', answer: cut, reasonCode: 'network', triedAgain: true },
  {
    name: 'answers with a page',
    answer: raw('<html>', 200, { 'content-type': 'text/html' }),
    reasonCode: 'bad_answer',
    triedAgain: false,
  },
  { name: 'says nothing of its content', answer: raw('{}'), reasonCode: 'bad_answer', triedAgain: false },
  {
    name: 'answers with half of a JSON text',
    answer: raw('{"data": {', 200, JSON_TYPE),
    reasonCode: 'bad_answer',
    triedAgain: false,
  },
  {
    name: 'answers with nothing',
    answer: raw('', 200, JSON_TYPE),
    reasonCode: 'bad_answer',
    triedAgain: false,
  },
  {
    name: 'answers with JSON of another shape',
    answer: json({ data: [], results: { a: 1 } }),
    reasonCode: 'bad_answer',
    triedAgain: false,
  },
  { name: 'answers with null', answer: json(null), reasonCode: 'bad_answer', triedAgain: false },
  {
    name: 'nests 100,000 levels deep',
    answer: raw('['.repeat(1e5) + ']'.repeat(1e5), 200, JSON_TYPE),
    reasonCode: 'bad_answer',
    triedAgain: false,
  },
  {
    name: 'sends invalid UTF-8',
    answer: (_q, r) => void r.writeHead(200, JSON_TYPE).end(Buffer.from([0xff, 0xfe, 0x00])),
    reasonCode: 'bad_answer',
    triedAgain: false,
  },
  {
    name: 'redirects in circles',
    answer: (q, r) => void r.writeHead(302, { location: q.url }).end(),
    reasonCode: 'redirect_refused',
    triedAgain: false,
  },
  {
    name: 'redirects to cloud metadata',
    answer: redirect('http://169.254.169.254/latest/meta-data/'),
    reasonCode: 'redirect_refused',
    triedAgain: false,
  },
  {
    name: 'redirects to another port of this machine',
    answer: redirect('http://127.0.0.1:9/'),
    reasonCode: 'redirect_refused',
    triedAgain: false,
  },
  {
    name: 'redirects to a file',
    answer: redirect('file:///etc/passwd'),
    reasonCode: 'redirect_refused',
    triedAgain: false,
  },
  { name: 'redirects to nowhere', answer: raw('', 302), reasonCode: 'redirect_refused', triedAgain: false },
  { name: 'streams 100 MB', answer: floodWith100Mb, reasonCode: 'too_large', triedAgain: false },
  {
    name: 'limits the rate',
    answer: raw('slow down', 429, { 'retry-after': '1' }),
    reasonCode: 'rate_limited',
    triedAgain: true,
  },
  { name: 'breaks inside', answer: raw('oops', 500), reasonCode: 'server_error', triedAgain: true },
  { name: 'is overloaded', answer: raw('', 503), reasonCode: 'server_error', triedAgain: true },
  {
    name: 'refuses the key',
    answer: json({ error: { code: 'WrongCredentialsError' } }, 401),
    reasonCode: 'bad_key',
    triedAgain: false,
  },
  { name: 'forbids it', answer: json({}, 403), reasonCode: 'bad_key', triedAgain: false },
  {
    name: 'has nothing left on the account',
    answer: json({}, 402),
    reasonCode: 'quota_exhausted',
    triedAgain: false,
  },
  { name: 'does not like the request', answer: json({}, 400), reasonCode: 'bad_answer', triedAgain: false },
];

function redirect(location: string): Answer {
  return raw('', 302, { location });
}

function stall(...[, response]: Parameters<Answer>): void {
  response.writeHead(200, JSON_TYPE);
  response.write('{"data":');
}

function cut(...[request, response]: Parameters<Answer>): void {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
  response.write('{"data":', () => request.socket.destroy());
}

async function floodWith100Mb(...[, response]: Parameters<Answer>): Promise<void> {
  response.writeHead(200, JSON_TYPE);
  const chunk = Buffer.alloc(65_536, ' ');
  let open = true;
  response.on('close', () => (open = false));
  for (flood.sent = 0; open && flood.sent < flood.total; flood.sent += chunk.length) {
    if (!response.write(chunk)) await Promise.race([drained(response), closed(response)]);
    await setImmediate();
  }
  if (open) response.end('{}');
}

function drained(response: Parameters<Answer>[1]): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve));
}

function closed(response: Parameters<Answer>[1]): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}
