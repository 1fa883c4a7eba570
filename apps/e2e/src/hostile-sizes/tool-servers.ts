import { noTelemetry, silentLogger } from '@casefile/contracts';
import { createToolBox, createToolRunner, type McpServer } from '@casefile/evidence';
import {
  aListedTool,
  manyValues,
  mcpWorld,
  MemoryPins,
  SOME_LIMITS,
  startMcpHttpServer,
} from '@casefile/evidence/testing';
import { maskJson } from '@casefile/masking';
import { systemClock } from '@casefile/runtime';
import type { HostileInput } from './hostile-input.js';

const ECHO = aListedTool('echo');
const LIMITS = { ...SOME_LIMITS, maxResultBytes: 8_388_608 };

/** Replies of a tool server instead of its result, by method. */
const RESULTS: Record<string, { method: string; make(full: boolean): string }> = {
  'Tool result of 1.5 million values': {
    method: 'tools/call',
    make: (full) => manyValues(full ? 1_500_000 : 300_000),
  },
  'Tool list of 20,000 tools': {
    method: 'tools/list',
    make: (full) =>
      JSON.stringify({
        tools: Array.from({ length: full ? 20_000 : 2_000 }, (_, i) => aListedTool(`tool-${i}`)),
      }),
  },
};

export const toolServers: readonly HostileInput[] = Object.entries(RESULTS).flatMap(
  ([name, { method, make }]): HostileInput[] => [
    {
      name: `${name} over HTTP`,
      offer: async (_folder, full) => {
        const http = await startMcpHttpServer([ECHO]);
        http.raw.set(method, make(full));
        return { place: http.url, close: () => http.close() };
      },
      serve: async (url) => meet({ url, headers: {} }),
    },
    {
      name: `${name} over stdio`,
      offer: async (_folder, full) => {
        const world = mcpWorld({ tools: [ECHO], raw: { [method]: make(full) } });
        return { place: JSON.stringify(world.server.via), close: world.close };
      },
      serve: async (via) => meet(JSON.parse(via) as McpServer['via']),
    },
  ],
);

/** Connects to the server and calls its tool, as evidence-collector does. */
async function meet(via: McpServer['via']): Promise<() => Promise<string | null>> {
  // Loads the client before the measured server.
  await connectTo({ url: 'http://127.0.0.1:9/', headers: {} });
  const use = { timeoutMs: 60_000, attempts: 1, concurrency: 1 };
  const { source, close } = mcpWorld(
    { tools: [ECHO] },
    { via, limits: LIMITS, use },
    new MemoryPins(true),
    maskJson,
  );
  const runner = createToolRunner({
    tools: createToolBox([source]),
    clock: systemClock,
    log: silentLogger,
    telemetry: noTelemetry,
    mask: maskJson,
  });
  return async () => {
    await source.connect();
    await source.connect();
    const { message } = await runner.run('cluster__echo', {}, new AbortController().signal);
    await close();
    return message;
  };
}

async function connectTo(via: McpServer['via']): Promise<void> {
  const { source, close } = mcpWorld({ tools: [ECHO] }, { via });
  await source.connect();
  await close();
}
