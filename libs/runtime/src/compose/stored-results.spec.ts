import {
  noTelemetry,
  silentLogger,
  type JsonObject,
  type LanguageModel,
  type ModelRequest,
} from '@casefile/contracts';
import { countingIds, manualClock } from '@casefile/contracts/testing';
import { createToolBox, createToolRunner, createTools, compiledIn } from '@casefile/evidence';
import { aListedTool, mcpWorld, someSettings, SOME_LIMITS } from '@casefile/evidence/testing';
import { maskJson } from '@casefile/masking';
import { summariseResultPrompt } from '@casefile/pipeline';
import { testRecord } from '@casefile/store/testing';
import { readPrompts } from '../config/installed-prompts.js';
import { ToolExecutor } from '@casefile/engine';
import { anAnswer, freeCalls, waitingRun, alwaysModel } from '@casefile/engine/testing';

const onRecord = testRecord();
const MB = 1_000_000;

describe('S2-47 long results of outside tools', () => {
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.close());

  /**
   * Runs calls of the server's tools as separate jobs over a real record. Returns the record of each call.
   */
  async function setUp(
    keeps: number,
    calls: readonly { tool: string; args: JsonObject }[],
    model: LanguageModel | null = null,
  ) {
    const big = aListedTool('big', { inputSchema: { type: 'object' } });
    const limits = { ...SOME_LIMITS, maxResultBytes: keeps };
    world = mcpWorld({ tools: [big, aListedTool('facts')] }, { limits });
    await world.source.connect();
    world.pins.approve('big', 'facts');
    await world.source.connect();
    const { store } = onRecord();
    const ids = countingIds();
    const asked = calls.map(({ tool, args }) => ({ id: ids.id(), tool: `cluster__${tool}`, args }));
    const wait = { step: 1, calls: asked, timeoutMs: 60_000 };
    const accepted = await waitingRun(store, ids, wait);
    const noReports = { find: async () => null };
    const own = createTools(someSettings(), { scamReports: noReports, storedResults: store.storedResults });
    const shared = { clock: manualClock(), log: silentLogger, telemetry: noTelemetry };
    const tools = createToolBox([compiledIn(own), world.source]);
    const runner = createToolRunner({ tools, ...shared, mask: maskJson });
    const ports = {
      ...shared,
      store,
      nudger: { nudge: async () => undefined },
      ids,
      runner,
      models: alwaysModel(model),
      prompts: readPrompts([summariseResultPrompt]),
      calls: freeCalls(),
      modelFeatures: {},
    };
    const executor = new ToolExecutor(ports, 60_000);
    await Promise.all(asked.map(({ id }) => executor.handle({ toolCallId: id })));
    const { toolCalls: recorded, interactions } = (await store.record.getCase(accepted.caseId))!.runs[0]!;
    const read = (args: JsonObject, runId = accepted.runId) =>
      runner.run('stored_result', args, new AbortController().signal, undefined, runId);
    return {
      asked,
      read,
      interactions,
      callOf: (n: number) => recorded.find(({ id }) => id === asked[n]!.id)!,
    };
  }
  /** Number of calls of the server's process. */
  const calledSoFar = async (): Promise<unknown> => {
    const facts = world.source.listed().find(({ name }) => name === 'cluster__facts')!;
    const context = { signal: new AbortController().signal, clock: manualClock(), log: silentLogger };
    const { result } = await facts.run({}, context);
    return (JSON.parse(String((result as JsonObject)['text'])) as JsonObject)['called'];
  };

  it('of 1 kB travel whole, of 100 kB and 5 MB by their ends, of 50 MB by size and hash; the server and its other calls go on', async () => {
    const sizes = [1_000, 100_000, 5 * MB, 50 * MB, 2_000];
    const calls = sizes.map((bytes) => ({ tool: 'big', args: { bytes } }));
    const { callOf, asked, read } = await setUp(8 * MB, calls);
    expect(callOf(0).result).toEqual({ text: 'x'.repeat(1_000) });
    expect(callOf(4).result).toEqual({ text: 'x'.repeat(2_000) });
    for (const n of [1, 2]) {
      const stored = { id: asked[n]!.id, characters: sizes[n], pages: sizes[n]! / 8_000 };
      expect(callOf(n)).toMatchObject({
        state: 'succeeded',
        result: {
          stored: {
            ...stored,
            pages: Math.ceil(stored.pages),
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        },
      });
      expect(JSON.stringify(callOf(n).result).length).toBeLessThan(8_000);
      expect((await read({ id: asked[n]!.id, page: Math.ceil(stored.pages) })).result).toMatchObject({
        text: 'x'.repeat(sizes[n]! % 8_000 || 8_000),
      });
    }
    expect(callOf(3)).toMatchObject({
      state: 'failed',
      result: null,
      reasonCode: 'too_large',
      message: expect.stringMatching(/ 50000\d{3} bytes with the SHA-256 [0-9a-f]{64}/),
    });
    // One process answered all calls. Reading a page does not call it.
    expect(await calledSoFar()).toBe(sizes.length + 1);
    await read({ id: asked[2]!.id, search: 'xxx' });
    expect(await calledSoFar()).toBe(sizes.length + 2);
  });

  const LONG = [{ tool: 'big', args: { bytes: 200_000 } }];
  const modelThatSays = (content: string, paid: ModelRequest[] = []): LanguageModel => ({
    provider: 'fake',
    model: 'm',
    complete: async (request) => (paid.push(request), anAnswer({ content })),
  });

  it('are summed up by the cheaper model, on the record of their call', async () => {
    const paid: ModelRequest[] = [];
    const summary = 'Only the letter x, on all pages.';
    const model = modelThatSays(JSON.stringify({ summary }), paid);
    const { callOf, asked, interactions } = await setUp(8 * MB, LONG, model);
    const stored = { id: asked[0]!.id, characters: 200_000 };
    expect(callOf(0).result).toMatchObject({ stored, beginning: expect.stringMatching(/^x+$/), summary });
    expect(interactions).toMatchObject([
      { toolCallId: asked[0]!.id, promptId: 'tool-result/summarise@1', state: 'completed' },
    ]);
    expect(paid.map(({ level }) => level)).toEqual(['low']);
    const text = paid[0]!.messages.map((message) => message.content).join('');
    expect(text.length).toBeLessThan(110_000);
    expect(text).toContain('(pages 9 to 21 are left out here)');
  });

  it('stand as they are where a model gives no summary', async () => {
    const { callOf, interactions } = await setUp(8 * MB, LONG, modelThatSays('no'));
    expect(callOf(0)).toMatchObject({ state: 'succeeded', result: { end: expect.stringMatching(/^x+$/) } });
    expect(callOf(0).result).not.toHaveProperty('summary');
    expect(interactions).toHaveLength(2);
  });

  it('are read by the run that has them alone', async () => {
    const { asked, read } = await setUp(8 * MB, [{ tool: 'big', args: { bytes: 30_000 } }]);
    const id = asked[0]!.id;
    expect(await read({ id })).toMatchObject({ state: 'succeeded', result: { page: 1, pages: 4 } });
    expect(await read({ id }, asked[0]!.id)).toMatchObject({ state: 'failed', reasonCode: 'not_found' });
    expect(await read({ id, page: 5 })).toMatchObject({
      reasonCode: 'invalid_arguments',
      message: 'page: it has 4 pages',
    });
  });
});
