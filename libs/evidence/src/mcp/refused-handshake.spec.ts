import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startMcpHttpServer } from '../testing/mcp-http-server.js';
import { aListedTool, SOME_LIMITS } from '../testing/mcp-world.js';

const TOOLS = [aListedTool('echo')];

/** Connects once, and again for each line on its standard input, and prints how the server does each time. */
const CLIENT = `
  import { createInterface } from 'node:readline';
  import { mcpSource } from '${new URL('../../dist/mcp/mcp-source.js', import.meta.url).href}';
  const [, url] = process.argv;
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  const limits = ${JSON.stringify(SOME_LIMITS)};
  const use = { timeoutMs: 1000, attempts: 1, concurrency: 1 };
  const server = { name: 'far', via: { url, headers: {} }, allow: ['echo'], required: [], pins: {}, limits, use };
  const pins = { approved: async () => new Map(), noteServer: async () => undefined };
  const source = mcpSource(server, { pins, log, mask: async (value) => ({ value }) });
  const look = async () => {
    await source.connect();
    console.log(source.health().state);
  };
  await look();
  for await (const _line of createInterface({ input: process.stdin })) await look();
  await source.close();
`;

describe('S2-46 a process whose tool server refuses the handshake over HTTP', () => {
  it.each(['JSON-RPC error', 'other protocol version', '3xx'] as const)(
    'stays, and is served again after the repair (%s, at the start and while it runs)',
    async (answer) => {
      const http = await startMcpHttpServer(TOOLS);
      http.wrong.set('initialize', answer);
      const args = ['--input-type=module', '-e', CLIENT, http.url];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      try {
        const states: string[] = [];
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        const next = async () => states.push(String((await lines.next()).value));
        const again = async () => {
          child.stdin.write('again\n');
          await next();
        };
        await next();
        http.wrong.clear();
        await again();
        // As a server that is upgraded.
        http.wrong.set('initialize', answer);
        http.forget();
        await again();
        await again();
        http.wrong.clear();
        await again();
        child.stdin.end();
        expect(states).toEqual(['down', 'ready', 'down', 'down', 'ready']);
        expect(await exited).toEqual([0, null]);
      } finally {
        child.kill('SIGKILL');
        await http.close();
      }
    },
  );
});
