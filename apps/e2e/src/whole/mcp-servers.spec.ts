import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noTelemetry, silentLogger, type JsonObject } from '@casefile/contracts';
import { manualClock, temporaryFolder } from '@casefile/contracts/testing';
import { freePort } from '@casefile/embedded/testing';
import { createToolBox, createToolRunner, mcpSource, type McpServer } from '@casefile/evidence';
import { MemoryPins, SOME_LIMITS } from '@casefile/evidence/testing';
import { startAlertmanager, type Alertmanager } from '../testing/alertmanager.js';
import { startPrometheus } from '../testing/prometheus.js';

const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const EVERYTHING = `${modules}@modelcontextprotocol/server-everything/dist/index.js`;

/** A server that is started as a process of its own over stdio or HTTP, and a tool of it that can be called. */
interface RealServer {
  name: string;
  script: string;
  args: string[];
  /** Its other settings, once what stands behind it has started. */
  env?(): Record<string, string>;
  overHttp?: boolean;
  tool: string;
  call: JsonObject;
  answers: RegExp;
  /** Is listed, and is neither allowed nor may it be. */
  forbidden: string;
}

const folder = temporaryFolder('mcp-real');
writeFileSync(join(folder, 'note.txt'), 'The disk is full.');

let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
let alertmanager: Alertmanager;
beforeAll(async () => {
  prometheus = await startPrometheus();
  const nobody = 'http://127.0.0.1:9/';
  alertmanager = await startAlertmanager({
    webhookUrl: nobody,
    groupBy: 'alertname',
    groupSeconds: 60,
    repeatSeconds: 60,
  });
  const labels = { alertname: 'DiskAlmostFull', instance: 'db-2' };
  await alertmanager.fire([{ labels, annotations: {}, startsAt: new Date().toISOString() }]);
}, 300_000);
afterAll(() => Promise.all([prometheus.stop(), alertmanager.stop()]));

const SERVERS: RealServer[] = [
  {
    name: 'server-everything over stdio',
    script: EVERYTHING,
    args: ['stdio'],
    tool: 'echo',
    call: { message: 'hello' },
    answers: /hello/,
    forbidden: 'get-env',
  },
  {
    name: 'server-everything over HTTP',
    script: EVERYTHING,
    args: ['streamableHttp'],
    overHttp: true,
    tool: 'get-sum',
    call: { a: 2, b: 3 },
    answers: /\b5\b/,
    forbidden: 'get-env',
  },
  {
    name: 'server-filesystem',
    script: `${modules}@modelcontextprotocol/server-filesystem/dist/index.js`,
    args: [folder],
    tool: 'read_text_file',
    call: { path: join(folder, 'note.txt') },
    answers: /The disk is full/,
    forbidden: 'write_file',
  },
  {
    name: 'server-memory',
    script: `${modules}@modelcontextprotocol/server-memory/dist/index.js`,
    args: [],
    env: () => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    tool: 'read_graph',
    call: {},
    answers: /entities/,
    forbidden: 'delete_entities',
  },
  {
    name: 'prometheus-mcp',
    script: `${modules}prometheus-mcp/dist/index.mjs`,
    args: ['stdio'],
    env: () => ({ PROMETHEUS_URL: prometheus.url }),
    tool: 'prometheus_query',
    call: { query: 'prometheus_build_info' },
    answers: /version.{1,9}2\.\d/,
    forbidden: 'prometheus_delete_series',
  },
  {
    name: 'mcp-alertmanager',
    script: `${modules}mcp-alertmanager/bin/index.js`,
    args: [],
    env: () => ({ ALERTMANAGER_URL: alertmanager.url }),
    tool: 'getAlerts',
    call: {},
    answers: /DiskAlmostFull/,
    forbidden: 'createSilence',
  },
];

describe.each(SERVERS)('S2-42 S2-46 $name', (real) => {
  const pidFile = join(folder, `${real.name.replaceAll(/\W/g, '-')}.pid`);
  let env: Record<string, string>;
  let served: ChildProcess | null = null;
  let port = 0;

  const serve = async (): Promise<void> => {
    const child = spawn(process.execPath, [real.script, ...real.args], {
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    served = child;
    for await (const text of child.stderr) if (/listening/.test(String(text))) break;
    child.stderr.resume();
  };
  const kill = async (): Promise<void> => {
    if (!real.overHttp) return void process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    const ended = once(served!, 'exit');
    served!.kill('SIGKILL');
    await ended;
    await serve();
  };

  let source: ReturnType<typeof mcpSource>;
  const pins = new MemoryPins(true);
  beforeAll(async () => {
    env = { PATH: process.env['PATH'] ?? '', ...real.env?.() };
    if (real.overHttp) {
      port = await freePort();
      await serve();
    }
    const overStdio = {
      command: '/bin/sh',
      // Its process id is what a crash is made by.
      args: ['-c', 'echo $$ > "$0"; exec "$@"', pidFile, process.execPath, real.script, ...real.args],
      env,
    };
    const server: McpServer = {
      name: 'real',
      via: real.overHttp ? { url: `http://127.0.0.1:${port}/mcp`, headers: {} } : overStdio,
      allow: [real.tool],
      required: [],
      pins: {},
      limits: SOME_LIMITS,
      use: { timeoutMs: 300_000, attempts: 3, concurrency: 4 },
    };
    source = mcpSource(server, { pins, log: silentLogger, mask: async (value) => ({ value }) });
    await source.connect();
    await source.connect();
  });
  afterAll(async () => {
    await source.close();
    served?.kill('SIGKILL');
  });

  const runner = () =>
    createToolRunner({
      tools: createToolBox([source]),
      clock: manualClock(),
      log: silentLogger,
      telemetry: noTelemetry,
      mask: async (value) => ({ value }),
    });
  const never = new AbortController().signal;
  const call = () => runner().run(`real__${real.tool}`, real.call, never);
  const asExpected = ({ state, result }: Awaited<ReturnType<typeof call>>): boolean =>
    state === 'succeeded' && real.answers.test(JSON.stringify(result));

  it('is connected, listed and called; what is not allowed is not there', async () => {
    expect(source.health()).toEqual({ state: 'ready' });
    expect(source.offers!()).toMatchObject({
      tools: [{ name: `real__${real.tool}`, source: 'real' }],
      out: [],
    });
    const settled = await call();
    expect({ settled, asExpected: asExpected(settled) }).toMatchObject({ asExpected: true });
    expect(await runner().run(`real__${real.forbidden}`, {}, never)).toMatchObject({
      reasonCode: 'unknown_tool',
    });
  });

  it('is restarted under load: every call is answered or a gap, the list hashes the same, and it continues', async () => {
    const before = source.offers!();
    const run = runner();
    const calls = Array.from({ length: 12 }, () => run.run(`real__${real.tool}`, real.call, never));
    await Promise.race(calls);
    await kill();
    const settled = await Promise.all(calls);
    const wrong = settled.filter(
      (one) => !asExpected(one) && !['network', 'circuit_open'].includes(one.reasonCode ?? ''),
    );
    expect(wrong).toEqual([]);
    const after = await call();
    expect({ after, asExpected: asExpected(after) }).toMatchObject({ asExpected: true });
    expect(source.offers!()).toEqual(before);
  });
});
