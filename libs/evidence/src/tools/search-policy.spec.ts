import {
  CasefileError,
  silentLogger,
  UnusableAnswer,
  type ModelRequest,
  type ModelResponse,
  type ToolModel,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { aPolicyStore } from '../testing/policy-store.js';
import { someSettings } from '../testing/settings.js';
import { searchPolicy, type AskForSections } from './search-policy.js';

const request: ModelRequest = { promptId: 'p@1', kind: 'tool-selection', messages: [], maxOutputTokens: 1 };
const response = (content: string, costUsd: number | null = 0.001): ModelResponse => ({
  provider: 'fake',
  model: 'm',
  content,
  toolCalls: [],
  finishReason: 'stop',
  reasoning: null,
  raw: {},
  costUsd,
  usage: { inputTokens: 1_100, outputTokens: 20, reasoningTokens: 0, cachedTokens: 0 },
});

/** Asks once a question, and reads ids with blanks between them. */
const ask: AskForSections = (model, deadlineAt) => async () =>
  (await model.call(1, request, deadlineAt)).content.split(' ');

function search(
  call: ToolModel['call'],
  over: { available?: boolean; args?: object; without?: boolean } = {},
) {
  const deadlines: (number | null)[] = [];
  const model: ToolModel = {
    available: over.available ?? true,
    seed: 'aa',
    call: (...asked) => (deadlines.push(asked[2]), call(...asked)),
  };
  const tool = searchPolicy(someSettings(), aPolicyStore(), ask);
  const context = { signal: new AbortController().signal, clock: manualClock(1_000), log: silentLogger };
  const args = { policyId: 'claims', version: 1, query: 'excess for water', ...over.args };
  const ran = tool.run(args, over.without === true ? context : { ...context, model });
  return ran.then(({ result }) => ({ result, deadlines }));
}

const ids = (result: unknown): string[] =>
  (result as { nodes: { nodeId: string }[] }).nodes.map(({ nodeId }) => nodeId);

describe('S4-10 pi_search', () => {
  it('is led by the model of its run, within its time, and reports its cost', async () => {
    const { result, deadlines } = await search(async () => response('0002 0001'));
    expect(ids(result)).toEqual(['0002', '0001']);
    expect(result).toMatchObject({
      by: 'model',
      fallbackReason: null,
      steps: [{ offered: 3, chosen: ['0002', '0001'] }],
      usage: { inputTokens: 1_100, outputTokens: 20, costUsd: 0.001 },
    });
    expect(deadlines).toEqual([46_000]);
  });

  it('goes by words where the run has no model, which is nothing to be told', async () => {
    const never = () => Promise.reject(new Error('asked'));
    for (const over of [{ available: false }, { without: true }]) {
      const { result, deadlines } = await search(never, over);
      expect(result).toMatchObject({
        by: 'keywords',
        fallbackReason: null,
        usage: { inputTokens: 0, costUsd: 0 },
      });
      expect([ids(result), deadlines]).toEqual([['0003'], []]);
    }
  });

  it('goes by words if configured, and says when it was to be led and could not be', async () => {
    const never = () => Promise.reject(new Error('asked'));
    const words = await search(never, { args: { by: 'keywords' } });
    expect(words).toMatchObject({ deadlines: [], result: { by: 'keywords', fallbackReason: null } });
    const { result } = await search(never, { available: false, args: { by: 'model' } });
    expect(result).toMatchObject({ by: 'keywords', fallbackReason: 'no_provider' });
  });

  it('counts what an answer cost that cannot be used, and owns up to an unknown price', async () => {
    const refused = () => Promise.reject(new UnusableAnswer('refused', 'no', response('')));
    expect((await search(refused)).result).toMatchObject({
      by: 'keywords',
      fallbackReason: 'refused',
      usage: { inputTokens: 1_100, outputTokens: 20, costUsd: 0.001 },
    });
    const { result } = await search(async () => response('0003', null));
    expect(result).toMatchObject({ by: 'model', usage: { costUsd: null } });
  });

  it('says why words took over', async () => {
    const { result } = await search(() => Promise.reject(new CasefileError('timeout', 'late')));
    expect(result).toMatchObject({ by: 'keywords', fallbackReason: 'timeout', found: 1 });
  });

  it('asks no model which of the two it is to be', () => {
    const { asks, args } = searchPolicy(someSettings(), aPolicyStore(), ask);
    expect(asks?.safeParse({ query: 'x', by: 'model' }).success).toBe(false);
    expect(args.safeParse({ policyId: 'p', version: 1, query: 'x', by: 'model' }).success).toBe(true);
  });
});
