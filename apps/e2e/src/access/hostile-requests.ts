import { createHash, randomBytes } from 'node:crypto';
import { request as sendRequest, type OutgoingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { seededRandom } from '@casefile/contracts';
import { createKey, type Platform } from '@casefile/runtime';
import type { ConsoleWithIssuer } from '../testing/console-with-issuer.js';

/** Ways of an attack on the console. */
export const ATTACKS = ['csrf', 'origin', 'host', 'fixation', 'session', 'key', 'cookies'] as const;
export type Attack = (typeof ATTACKS)[number];

/** Statuses with which a hostile request is refused before anything reads it. */
const REFUSED = [401, 403, 421, 429, 431];
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

interface HostileRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: OutgoingHttpHeaders;
}

/** A session and a key of an administrator, which the attacks try to use or guess. */
export interface Victim {
  token: string;
  key: string;
}

/** Signs an administrator in, and creates a key. */
export async function victimOf({ store, clock }: Platform): Promise<Victim> {
  const token = randomBytes(32).toString('base64url');
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const person = { source: 'oidc', subject: 'vic', name: 'vic', role: 'admin', groups: ['leads'] } as const;
  await store.sessions.open({ ...person, tokenHash, userAgent: 'browser' }, null);
  const { key } = await createKey(
    { keys: store.keys, now: () => clock.now() },
    { name: 'victim', role: 'admin', reason: '', by: 'test' },
    { actId: 'victim', by: 'test', reason: '' },
  );
  return { token, key };
}

/** Sends `count` requests by this seed. Returns, by attack, how many were sent and which were accepted. */
export async function attack(
  world: ConsoleWithIssuer,
  victim: Victim,
  { seed, count }: { seed: number; count: number },
): Promise<{ sent: Record<Attack, number>; accepted: string[] }> {
  const random = new Draws(seed);
  const sent = Object.fromEntries(ATTACKS.map((name) => [name, 0])) as Record<Attack, number>;
  const accepted: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const name = ATTACKS[i % ATTACKS.length]!;
    const request = MAKERS[name](random, victim, new URL(world.url).host);
    const status = await statusOf(world.url, request);
    sent[name] += 1;
    if (!REFUSED.includes(status))
      accepted.push(`${name} ${status} ${JSON.stringify(request).slice(0, 500)}`);
  }
  return { sent, accepted };
}

/** Returns the status of the answer; 101: the connection became a WebSocket; 0: it was closed. */
export function statusOf(url: string, { method, path, headers }: HostileRequest): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const sent = sendRequest({ hostname, port, method, path, headers, agent: false });
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('upgrade', (_response, socket) => {
      resolve(101);
      socket.destroy();
    });
    // The server closes the connection of a request that is too large after its answer.
    sent.on('error', () => resolve(431));
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

/** A request of the console's own page, which the attacks differ from. */
export function honest({ token }: Victim, host: string, more: Partial<HostileRequest> = {}): HostileRequest {
  const headers = { host, cookie: `cf=${token}`, ...more.headers };
  return { method: 'GET', path: '/api/v1/sessions', ...more, headers };
}

const posting = { method: 'POST', path: '/api/v1/flags/any' } as const;
const upgrading = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
const upgrade = { ...upgrading, 'sec-websocket-key': Buffer.alloc(16).toString('base64') };

type Maker = (random: Draws, victim: Victim, host: string) => HostileRequest;

const MAKERS: Record<Attack, Maker> = {
  csrf: (random, victim, host) => {
    const site = random.of(['cross-site', 'same-site', 'none', 'SAME-ORIGIN', 'same-origin, cross-site', '']);
    const hostile = random.of<OutgoingHttpHeaders>([
      {},
      { 'sec-fetch-site': site },
      { origin: random.foreignOrigin(host) },
      { origin: random.foreignOrigin(host), 'sec-fetch-site': 'same-origin' },
      { origin: `http://${host}`, 'sec-fetch-site': site },
      { referer: `http://${host}/` },
    ]);
    const type = random.of([
      'application/json',
      'application/json; charset=utf-8',
      'application/problem+json',
    ]);
    return honest(victim, host, { ...posting, headers: { 'content-type': type, ...hostile } });
  },
  origin: (random, victim, host) => {
    const path = random.of(['/ws', '/ws?lastEventId=0']);
    const origin = random.of([random.foreignOrigin(host), undefined]);
    const headers = origin === undefined ? { ...upgrade } : { ...upgrade, origin };
    const stream = { 'sec-fetch-site': random.of(['cross-site', 'same-site']), 'sec-fetch-mode': 'cors' };
    return random.of([
      honest(victim, host, { path, headers }),
      honest(victim, host, { path: '/api/v1/events', headers: stream }),
      honest(victim, host, { path: '/api/v1/events', headers: { origin: random.foreignOrigin(host) } }),
    ]);
  },
  host: (random, victim, host) => {
    const foreign = random.of([
      'evil.example',
      `localhost.evil.example:${host.split(':')[1]}`,
      `evil.example@${host}`,
      `${random.word()}.localhost`,
      '0.0.0.0',
      '169.254.169.254',
      `[::ffff:127.0.0.2]`,
    ]);
    const path = random.of([
      '/api/v1/sessions',
      '/api/v1/cases',
      '/auth/session',
      '/queues/',
      '/auth/sign-in',
    ]);
    return honest(victim, foreign, { path });
  },
  fixation: (random, { token }, host) => {
    const planted = random.token();
    const cookie = random.of([
      `cf=${planted}`,
      `cf=${planted}; cf=${token}`,
      `cf=${token}; cf=${planted}`,
      `__Host-cf=${planted}; cf=${token}`,
      `cf-flow=${token}`,
      `cf="${token}"`,
    ]);
    return { method: 'GET', path: '/api/v1/sessions', headers: { host, cookie } };
  },
  session: (random, { token }, host) => {
    const cookie = `cf=${random.of([random.token(), random.changed(token), token.slice(0, -1), `${token}A`, ''])}`;
    return { method: 'GET', path: '/api/v1/sessions', headers: { host, cookie } };
  },
  key: (random, { key }, host) => {
    const [, id = '', secret = ''] = key.split('_');
    const guessed = random.of([
      forged(id, random.digits(43)),
      forged(random.digits(8), random.digits(43)),
      forged(random.digits(8), secret),
      forged(id, random.changed(secret)),
      random.changed(key),
      key.slice(0, -1),
    ]);
    const authorization = random.of([`Bearer ${guessed}`, `bearer  ${guessed}`, `Basic ${guessed}`]);
    return { method: 'GET', path: '/api/v1/sessions', headers: { host, authorization } };
  },
  cookies: (random, { token }, host) => {
    const filler = `${random.word()}=${'x'.repeat(8_200 + random.below(40_000))}`;
    const cookie = random.of([`cf=${token}; ${filler}`, `${filler}; cf=${token}`, `cf=${token}${filler}`]);
    return { method: 'GET', path: '/api/v1/sessions', headers: { host, cookie } };
  },
};

/** A key with a right checksum. */
function forged(id: string, secret: string): string {
  const start = `cf_${id}_${secret}`;
  let rest = crc32(start);
  let sum = '';
  for (let i = 0; i < 6; i += 1) {
    sum = ALPHABET.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return `${start}_${sum}`;
}

class Draws {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  digits(length: number): string {
    return Array.from({ length }, () => ALPHABET.charAt(this.below(62))).join('');
  }

  word(): string {
    return `a${this.digits(6).toLowerCase()}`;
  }

  token(): string {
    return this.digits(43);
  }

  /** The text with one other character. */
  changed(text: string): string {
    const at = this.below(text.length);
    const other = [...ALPHABET].filter((character) => character !== text[at]);
    return text.slice(0, at) + this.of(other) + text.slice(at + 1);
  }

  foreignOrigin(host: string): string {
    const [name = '', port = ''] = host.split(':');
    return this.of([
      'null',
      'https://evil.example',
      `http://${name}:${Number(port) + 1}`,
      `http://${name}`,
      `http://${this.word()}.${host}`,
      `http://${host}.evil.example`,
      `http://${name}.evil.example:${port}`,
      `ftp://${host}`,
      `${host}`,
      'file://',
    ]);
  }
}
