import { noTelemetry, silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from '../run-tool.js';
import { manyValues, startMcpHttpServer } from '../testing/mcp-http-server.js';
import { aListedTool, mcpWorld, MemoryPins, SOME_LIMITS, type ListedWorld } from '../testing/mcp-world.js';
import { createToolBox } from '../tool-box.js';

type Transport = 'stdio' | 'HTTP' | 'HTTP, events';
const TRANSPORTS: Transport[] = ['stdio', 'HTTP', 'HTTP, events'];

const ECHO = aListedTool('echo');
const tools = (count: number) => Array.from({ length: count }, (_, i) => aListedTool(`tool-${i}`));
/** Longer than any other text that is parsed here. */
const LARGE = 100_000;

/** A source whose server can be changed, over each transport. */
async function serve(transport: Transport) {
  const pins = new MemoryPins(true);
  const limits = { ...SOME_LIMITS, maxResultBytes: 8_000_000 };
  if (transport === 'stdio') {
    const { source, lists, close } = mcpWorld({ tools: [ECHO] }, { limits }, pins);
    return { source, lists, close };
  }
  const http = await startMcpHttpServer([ECHO], { events: transport === 'HTTP, events' });
  const { source, close } = mcpWorld(
    { tools: [ECHO] },
    { via: { url: http.url, headers: {} }, limits },
    pins,
  );
  return {
    source,
    lists: ({ tools: listed, raw = {} }: ListedWorld) => {
      http.tools = listed;
      http.raw = new Map(Object.entries(raw));
    },
    close: () => close().then(() => http.close()),
  };
}

describe.each(TRANSPORTS)(
  'S2-47 what a tool server sends over %s, counted before it is parsed',
  (transport) => {
    let served: Awaited<ReturnType<typeof serve>>;
    let parsed: jest.SpyInstance;
    beforeEach(async () => {
      served = await serve(transport);
      await served.source.connect();
      await served.source.connect();
      parsed = jest.spyOn(JSON, 'parse');
    });
    afterEach(async () => {
      parsed.mockRestore();
      await served.close();
    });

    const largeTexts = () => parsed.mock.calls.filter(([text]) => String(text).length > LARGE).length;
    const call = () => {
      const runner = createToolRunner({
        tools: createToolBox([served.source]),
        clock: manualClock(),
        log: silentLogger,
        telemetry: noTelemetry,
        mask: async (value) => ({ value }),
      });
      return runner.run('cluster__echo', {}, new AbortController().signal);
    };

    it('is refused unparsed above 200,000 values, and the server stays', async () => {
      served.lists({ tools: [ECHO], raw: { 'tools/call': manyValues(1_500_000) } });
      expect(await call()).toMatchObject({
        state: 'failed',
        reasonCode: 'too_large',
        message: expect.stringMatching(
          /more than 200000 values: 45000\d\d bytes with the SHA-256 [0-9a-f]{64}$/,
        ),
      });
      expect(largeTexts()).toBe(0);
      expect(served.source.health()).toEqual({ state: 'ready' });
      // What is within the limit is parsed: so the count above counts.
      served.lists({ tools: [ECHO], raw: { 'tools/call': manyValues(60_000) } });
      expect(await call()).toMatchObject({ state: 'succeeded' });
      expect(largeTexts()).toBeGreaterThan(0);
    });

    it('is refused unparsed as a list of more than 1,000 tools: the server is down with the reason, until it lists less', async () => {
      served.lists({ tools: [], raw: { 'tools/list': JSON.stringify({ tools: tools(20_000) }) } });
      parsed.mockClear();
      await served.source.connect();
      expect(served.source.health()).toEqual({
        state: 'down',
        why: expect.stringMatching(/a list of 20000 entries, more than 1000/),
      });
      expect(largeTexts()).toBe(0);
      expect(await call()).toMatchObject({ state: 'failed', reasonCode: 'too_large' });
      served.lists({ tools: [ECHO, ...tools(999)] });
      await served.source.connect();
      expect(served.source.health()).toEqual({ state: 'ready' });
      expect(await call()).toMatchObject({ state: 'succeeded' });
    });
  },
);

describe('S2-47 a tool list of several pages', () => {
  it('is refused above 1,000 tools in all', async () => {
    const http = await startMcpHttpServer(tools(1_001));
    const { source, close } = mcpWorld({ tools: [ECHO] }, { via: { url: http.url, headers: {} } });
    try {
      http.pageSize = 600;
      await source.connect();
      expect(source.health()).toMatchObject({ state: 'down', why: 'it lists 1001 tools, more than 1000' });
      http.tools.pop();
      await source.connect();
      expect(source.health()).toEqual({ state: 'ready' });
    } finally {
      await close();
      await http.close();
    }
  });
});
