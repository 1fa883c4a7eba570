import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  noTelemetry,
  silentLogger,
  z,
  type SourceHealth,
  type Tool,
  type ToolSource,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from './run-tool.js';
import { describeToolSource, type SourceUnderTest } from './testing/tool-source.conformance.js';
import { someSettings } from './testing/settings.js';
import { compiledIn, createToolBox } from './tool-box.js';
import { createTools } from './tools/index.js';

const LIMITS = { timeoutMs: 2_000, attempts: 1, concurrency: 2 };
const aTool = (name: string): Tool => ({
  name,
  description: `Says ${name}.`,
  locality: 'remote',
  reads: 'outside',
  entityTypes: [],
  args: z.strictObject({}),
  limits: LIMITS,
  run: async () => ({ result: `said ${name}`, source: 'here' }),
});

/** A source that asks a server over HTTP for the names of its tools, as one that is not compiled in does. */
async function listedByServer({ down }: { down: boolean }): Promise<SourceUnderTest> {
  const names = ['weather', 'news'];
  let server: Server | null = null;
  let port = 0;
  const up = async (): Promise<void> => {
    server = createServer((_request, response) => response.end(JSON.stringify(names)));
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<void> => {
    const ended = server;
    server = null;
    ended?.closeAllConnections();
    await new Promise<void>((resolve) => (ended === null ? resolve() : ended.close(() => resolve())));
  };
  await up();
  if (down) await stop();
  let tools: Tool[] = [];
  let health: SourceHealth = { state: 'connecting' };
  const source: ToolSource = {
    name: 'a server',
    allowed: new Map(['weather', 'news'].map((name) => [name, LIMITS])),
    connect: async () => {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
        tools = z
          .array(z.string())
          .parse(await response.json())
          .filter((name) => source.allowed.has(name))
          .map(aTool);
        health = { state: 'ready' };
      } catch (error) {
        health = { state: 'down', why: (error as Error).message };
      }
    },
    listed: () => tools,
    health: () => health,
    close: async () => undefined,
  };
  const listMore = async (name: string) => void names.push(name);
  return { source, server: { up, down: stop, listMore }, close: stop };
}

const allTools = () => createTools(someSettings(), { scamReports: { find: async () => null } });

describeToolSource(
  'what is compiled in',
  async () => ({ source: compiledIn(allTools()), close: async () => undefined }),
  false,
);
describeToolSource('a server that lists its tools', listedByServer, true);

describe('the tools of all sources', () => {
  const signal = new AbortController().signal;
  const runnerOver = (box: ReturnType<typeof createToolBox>) =>
    createToolRunner({ tools: box, clock: manualClock(), log: silentLogger, telemetry: noTelemetry });

  it('refuse a name that two sources may list', () => {
    const sources = [compiledIn([aTool('weather')]), { ...compiledIn([aTool('weather')]), name: 'other' }];
    expect(() => createToolBox(sources)).toThrow(/"weather".*compiled in and other/);
  });

  it('run a tool that was listed later, without being made again', async () => {
    const late = await listedByServer({ down: true });
    const box = createToolBox([compiledIn(allTools()), late.source]);
    const runner = runnerOver(box);
    await box.connect();
    const away = await runner.run('weather', {}, signal);
    expect(away).toMatchObject({ state: 'failed', reasonCode: 'network', result: null });
    expect(away.message).toMatch(/a server/);
    await late.server?.up();
    await box.connect();
    expect(await runner.run('weather', {}, signal)).toMatchObject({
      state: 'succeeded',
      result: 'said weather',
    });
    const outside = allTools().filter(({ reads }) => reads === 'outside');
    expect(Object.keys(runner.circuits())).toEqual([...outside.map(({ name }) => name), 'weather']);
    await late.close();
  });

  it('say of a name that no source may list that there is no such tool', async () => {
    const settled = await runnerOver(createToolBox([compiledIn(allTools())])).run('weather', {}, signal);
    expect(settled).toMatchObject({ state: 'failed', reasonCode: 'unknown_tool' });
  });
});
