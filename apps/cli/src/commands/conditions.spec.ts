import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Condition } from '@casefile/contracts';
import { run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

const PAUSED: Condition = {
  id: 'destination_paused.oncall',
  severity: 'warning',
  since: '2026-01-05T09:47:00.000Z',
  text: 'The destination oncall is paused',
  effect: 'It receives nothing.',
  act: 'Resume it.',
  link: '/operate/destinations',
};
const QUEUES = [{ queue: 'triage', waiting: 3, active: 1, delayed: 0, failed: 0, oldestMs: 1_500 }];

let server: Server;
let url: string;
let conditions: Condition[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const body = request.url === '/api/v1/queues' ? { items: QUEUES } : { conditions };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const casefile = async (...args: string[]) => {
  const terminal = memoryTerminal();
  const code = await run([...args, '--console', url], terminal);
  return { code, text: terminal.lines.join('\n') };
};

describe('casefile conditions', () => {
  it('ends with 1 for any condition, if asked', async () => {
    conditions = [PAUSED];
    expect((await casefile('conditions')).code).toBe(0);
    const { code, text } = await casefile('conditions', '--exit-code');
    expect(code).toBe(1);
    expect(text).toMatch(/^warning {2}The destination oncall is paused/);
    conditions = [];
    expect(await casefile('conditions', '--exit-code')).toEqual({ code: 0, text: 'Nothing is wrong.' });
  });

  it('refuses an interval that is no time', async () => {
    expect((await casefile('conditions', '--watch', '0')).code).toBe(2);
  });
});

describe('casefile queues', () => {
  it('lists depth and oldest job', async () => {
    expect((await casefile('queues')).text).toMatch(
      /^triage +3 waiting, 1 active, 0 delayed, 0 failed {2}oldest 1\.5 s$/,
    );
    expect(JSON.parse((await casefile('queues', '--json')).text)).toEqual({ items: QUEUES });
  });
});
