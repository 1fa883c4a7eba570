import { once } from 'node:events';
import { connect } from 'node:net';
import { startConsoleFake, type ConsoleFake } from '../testing/console-fake.js';

let fake: ConsoleFake;
beforeAll(async () => {
  fake = await startConsoleFake();
});
afterAll(() => fake.close());

/** Returns numbers below `n` that are the same in each test run (xorshift). */
function seeded(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.abs(state) % n;
  };
}

const TARGETS = [
  '//',
  '/',
  '/ws',
  '//ws',
  '/ws?lastEventId=',
  '/ws?%',
  'http://[',
  '*',
  '/%ff',
  '/ws#',
  ':',
  '@',
];
const HOSTS = ['', 'localhost', '127.0.0.1', 'evil.example', '[', 'a b', '::', '[::1]:99999', '\u00e9'];
const NOISE = '/?#[]@!$&%\\"\'<>^`{|}~:aZ0';

function randomUpgrade(below: (n: number) => number): string {
  const noise = Array.from({ length: below(20) }, () => NOISE[below(NOISE.length)]).join('');
  const target = below(2) === 0 ? TARGETS[below(TARGETS.length)] : `/${noise}`;
  const lines = [
    `${['GET', 'POST', 'OPTIONS'][below(3)]} ${target} HTTP/1.1`,
    `Host: ${HOSTS[below(HOSTS.length)]}`,
    'Connection: Upgrade',
    `Upgrade: ${['websocket', 'h2c', noise || 'x'][below(3)]}`,
    ...(below(2) === 0 ? [`Origin: ${['null', 'http://evil.example', noise][below(3)]}`] : []),
    ...(below(2) === 0 ? ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${noise || 'k'}`] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Sends a request and reads its answer, or resets the connection immediately. */
async function send(request: string, reset: boolean): Promise<void> {
  const { hostname, port } = new URL(fake.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.write(request);
  if (reset) socket.resetAndDestroy();
  else {
    socket.resume();
    socket.setTimeout(200, () => socket.destroy());
    socket.end();
  }
  await closed;
}

describe('upgrades from anywhere', () => {
  it('E-01 a thousand random request lines, half of them reset, leave the console serving', async () => {
    const below = seeded(20_260_112);
    const thrown: unknown[] = [];
    const note = (error: unknown) => void thrown.push(error);
    process.on('uncaughtException', note);
    try {
      for (let sent = 0; sent < 1_000; sent += 25) {
        const batch = Array.from({ length: 25 }, (_, i) => send(randomUpgrade(below), i % 2 === 0));
        await Promise.all(batch);
      }
    } finally {
      process.off('uncaughtException', note);
    }
    expect(thrown).toEqual([]);
    expect((await fetch(`${fake.url}/api/v1/cases`)).status).toBe(200);
  });

  it.each([
    ['GET // HTTP/1.1', '404'],
    ['GET /elsewhere HTTP/1.1', '404'],
  ])('E-01 %s is answered %s', async (line, status) => {
    expect(
      await answerTo(`${line}\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`),
    ).toContain(` ${status} `);
  });

  it('E-09 a page whose name was made to point here opens no socket', async () => {
    const head = 'GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket';
    expect(await answerTo(`${head}\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n`)).toContain(
      ' 421 ',
    );
    expect(await answerTo(`${head}\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n`)).toContain(
      ' 403 ',
    );
  });
});

async function answerTo(request: string): Promise<string> {
  const { hostname, port } = new URL(fake.url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}
