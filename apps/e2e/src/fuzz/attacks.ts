import { once } from 'node:events';
import { connect } from 'node:net';
import { oddRequest, operationsAt, statusOf } from './odd-requests.js';

/** Returns a number below `n`, drawn from the seed. */
export type Below = (n: number) => number;

/** The attacked system. */
export interface Target {
  consoleUrl: string;
  ingestUrl: string;
}

/** Returns the status of each answer; 0: the connection was closed without an answer. */
export type Attack = (target: Target, below: Below) => Promise<number[]>;

const NOISE = '/?#[]@!$&%\\"\'<>^`{|}~:aZ0';
const noise = (below: Below, most: number) =>
  Array.from({ length: below(most) }, () => NOISE[below(NOISE.length)]).join('');

/** E-01: upgrade requests that no client sends. Half of them are reset immediately. */
const upgrades: Attack = async ({ consoleUrl }, below) => {
  const { hostname, port } = new URL(consoleUrl);
  const answers: number[] = [];
  for (let i = 0; i < 50; i += 1) {
    const target = below(3) === 0 ? '//' : `/${noise(below, 20)}`;
    const host = below(2) === 0 ? `127.0.0.1:${port}` : noise(below, 8);
    const request = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    let response = '';
    socket.on('data', (bytes) => (response += bytes.toString('latin1')));
    const closed = once(socket, 'close');
    socket.write(request);
    if (below(2) === 0) socket.resetAndDestroy();
    else socket.setTimeout(2_000, () => socket.destroy());
    await closed;
    answers.push(Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0));
  }
  return answers;
};

/** E-02: base64 that would take a quadratic pattern days. */
const images: Attack = ({ ingestUrl }, below) => {
  const filler = [' ', '\n', 'A', '=', 'A '][below(5)] ?? ' ';
  const base64 = `AAAA${filler.repeat(50_000 + below(500_000))}!`;
  return post(ingestUrl, JSON.stringify({ image: { mediaType: 'image/png', base64 } }));
};

/** E-03: a body of very many small values. */
const values: Attack = ({ ingestUrl }, below) => {
  const one = ['{}', '1', '[]', '""', '{"a":1}'][below(5)] ?? '{}';
  const many = `${one},`.repeat(100_000 + below(900_000));
  const shape =
    [`{"text":"p","payload":{"a":[${many}0]}}`, `[${many}0]`, '['.repeat(1_000_000)][below(3)] ?? '';
  return post(ingestUrl, shape);
};

const MEMBERS = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

/** E-05: keys named like members of Object, wherever a key may come from outside. */
const keys: Attack = ({ ingestUrl }, below) => {
  const key = MEMBERS[below(MEMBERS.length)] ?? 'constructor';
  const text = `Pay the fee at http://fee-${below(1_000_000)}.top`;
  const body = `{"text":${JSON.stringify(text)},"entities":{"${key}":["${noise(below, 20).replaceAll(/["\\]/g, '')}"]},"${key}":{"${key}":1}}`;
  return post(ingestUrl, body);
};

/** E-06: texts that once were slow to match. */
const texts: Attack = ({ ingestUrl }, below) => {
  const part = ['a@', 'http://', '1 2 3 ', '[.] ', '\u200b', '+1 202 ', 'का', 'x.', '"'][below(9)] ?? 'x';
  return post(ingestUrl, JSON.stringify({ text: part.repeat(20_000 + below(80_000)) }));
};

/** E-13: ids, filters, cursors, headers and bodies that are not as documented, ten of each operation. */
const requests: Attack = async ({ consoleUrl, ingestUrl }, below) => {
  const operations = [
    ...(await operationsAt(consoleUrl, '/api/openapi.json')),
    ...(await operationsAt(ingestUrl, '/openapi.json')),
  ];
  const { cases } = (await (await fetch(`${consoleUrl}/api/v1/cases?limit=1`)).json()) as {
    cases: { caseId: string; runId: string }[];
  };
  const knownIds =
    cases.slice(0, 1).map(({ caseId, runId }) => ({ caseId, runId, a: runId, b: runId }))[0] ?? {};
  const answers: number[] = [];
  for (const operation of operations)
    for (let i = 0; i < 10; i += 1) answers.push(await statusOf(oddRequest(operation, knownIds, below)));
  return answers;
};

export const ATTACKS: Record<string, Attack> = { upgrades, images, values, keys, texts, requests };

async function post(ingestUrl: string, body: string): Promise<number[]> {
  try {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${ingestUrl}/v1/alerts`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return [answer.status];
  } catch {
    return [0];
  }
}
