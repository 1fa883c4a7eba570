import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Condition, Meta } from '@casefile/contracts';
import { run } from '../program.js';
import { memoryTerminal } from '../testing/memory-terminal.js';

const META: Meta = {
  version: '1.2.3',
  provider: 'openai',
  model: 'gpt-of-mine',
  isSimulator: false,
  startedAt: '2026-01-05T10:00:00.000Z',
  capabilities: [],
};
const ABSENT: Condition = {
  id: 'service_absent.reasoner',
  severity: 'error',
  since: '2026-01-05T09:47:00.000Z',
  text: 'No reasoner is running: 5 units wait for it',
  effect: 'Cases wait to be judged; nothing is lost.',
  act: 'Start the service reasoner.',
  link: '/',
};

let server: Server;
let url: string;
let conditions: Condition[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const body = request.url === '/api/v1/meta' ? META : { conditions };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const status = async (...args: string[]) => {
  const terminal = memoryTerminal();
  const code = await run(['status', '--console', url, ...args], terminal);
  return { code, text: terminal.lines.join('\n') };
};

describe('casefile status', () => {
  it('ends with 0 while nothing is wrong', async () => {
    conditions = [];
    const { code, text } = await status();
    expect([code, text]).toEqual([0, `Casefile 1.2.3 at ${url}: openai gpt-of-mine.\nNothing is wrong.`]);
  });

  it('ends with 1 for an error, and says what is wrong, what it means and what to do', async () => {
    conditions = [ABSENT];
    const { code, text } = await status();
    expect(code).toBe(1);
    for (const said of [
      /error {2}No reasoner is running: 5 units/,
      /effect {2}Cases wait/,
      /do {6}Start the/,
    ])
      expect(text).toMatch(said);
    expect(JSON.parse((await status('--json')).text)).toMatchObject({
      version: '1.2.3',
      conditions: [ABSENT],
    });
  });

  it('says how old a condition is whose source cannot be read', async () => {
    conditions = [{ ...ABSENT, asOf: new Date(Date.now() - 180_000).toISOString() }];
    expect((await status()).text).toContain('5 units wait for it (since 2026');
    expect((await status()).text).toMatch(/\(as of 3 min ago, cannot be read now\)/);
  });

  it('ends with 0 for warnings alone', async () => {
    conditions = [{ ...ABSENT, id: 'versions_differ', severity: 'warning' }];
    expect((await status()).code).toBe(0);
  });
});
