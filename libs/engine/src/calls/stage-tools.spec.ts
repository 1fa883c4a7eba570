import {
  noTelemetry,
  silentLogger,
  z,
  type ArtifactSet,
  type JsonObject,
  type Tool,
  type ToolCall,
} from '@casefile/contracts';
import { countingIds, manualClock } from '@casefile/contracts/testing';
import { StageTools } from './stage-tools.js';

const SOME_TOOLS = ['facts_get', 'later'].map((name): Tool => ({
  name,
  description: `Says ${name}.`,
  locality: 'local',
  reads: 'nothing',
  entityTypes: ['phone'],
  args: z.object({}),
  limits: { timeoutMs: 1, attempts: 1, concurrency: 1 },
  run: () => Promise.reject(new Error('it is never called')),
}));

const key = { runId: 'r', unit: 'u', stage: 'reason', round: 1 };
const onRecord = (seq: number, over: Partial<ToolCall> = {}): ToolCall => ({
  ...key,
  id: `recorded-${seq}`,
  step: 3,
  seq,
  tool: 'facts_get',
  args: {},
  state: 'succeeded',
  attempts: 1,
  result: `recorded ${seq}`,
  source: null,
  reasonCode: null,
  message: null,
  durationMs: 1,
  createdAt: '',
  settledAt: '',
  ...over,
});

function setUp(
  journal: ToolCall[] = [],
  stateOf: (n: unknown) => 'succeeded' | 'failed' | 'store_unreachable' = () => 'succeeded',
  artifacts: ArtifactSet = {},
) {
  const run: JsonObject[] = [];
  const runner = {
    run: async (_tool: string, args: JsonObject) => {
      run.push(args);
      const state = stateOf(args['n']);
      return {
        state: state === 'succeeded' ? state : ('failed' as const),
        result: `found ${String(args['n'])}`,
        source: 'table',
        reasonCode: state === 'store_unreachable' ? state : null,
        message: null,
        durationMs: 1,
        attempts: 1,
      };
    },
  };
  const tools = {
    named: (name: string) => SOME_TOOLS.find((tool) => tool.name === name) ?? null,
    offers: () => ({ tools: [], out: [] }),
  };
  const work = { toolCalls: journal, settings: { tools: ['facts_get', 'not_listed'] }, artifacts };
  const ports = { tools, runner, clock: manualClock(), ids: countingIds(), log: silentLogger };
  const signal = new AbortController().signal;
  return {
    tools: new StageTools(key, work, { ...ports, telemetry: noTelemetry }, signal),
    run,
  };
}

const requests = [0, 1, 2].map((n) => ({ tool: 'facts_get', args: { n } }));

describe('S4-06 the tool calls of a stage', () => {
  it('R3 run only those that are not on the record, each at its own place', async () => {
    const { tools, run } = setUp([onRecord(1)]);
    const calls = await tools.inline(3, requests);
    expect(calls.map(({ seq, result }) => [seq, result])).toEqual([
      [0, 'found 0'],
      [1, 'recorded 1'],
      [2, 'found 2'],
    ]);
    expect(run).toEqual([{ n: 0 }, { n: 2 }]);
    expect(tools.takeInlineCalls().map(({ seq }) => seq)).toEqual([0, 2]);
  });

  it('are all there for the rest of the rendering, handed over or not', async () => {
    const { tools, run } = setUp();
    const first = await tools.inline(3, requests);
    expect(tools.recorded(3)).toEqual(first);
    expect(tools.takeInlineCalls()).toHaveLength(3);
    expect(tools.takeInlineCalls()).toEqual([]);
    expect(await tools.inline(3, requests)).toEqual(first);
    expect(tools.recorded(3)).toEqual(first);
    expect(tools.recorded(4)).toEqual([]);
    expect(run).toHaveLength(3);
  });

  it('are read alone when all are on the record', async () => {
    const journal = [2, 0, 1].map((seq) => onRecord(seq));
    const { tools, run } = setUp(journal);
    expect((await tools.inline(3, requests)).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect([run, tools.takeInlineCalls()]).toEqual([[], []]);
  });

  it('that failed are not recorded with a stage that failed, so that it asks again', async () => {
    const { tools } = setUp([], (n) => (n === 1 ? 'failed' : 'succeeded'));
    await tools.inline(3, requests);
    expect(tools.takeInlineCalls(true).map(({ seq }) => seq)).toEqual([0, 2]);
  });

  it('S1-15 wait for the database instead of leaving a gap', async () => {
    jest.useFakeTimers();
    try {
      let outages = 3;
      const { tools, run } = setUp([], () => (outages-- > 0 ? 'store_unreachable' : 'succeeded'));
      const calls = tools.inline(3, [requests[0]!]);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(await calls).toMatchObject([{ state: 'succeeded', reasonCode: null }]);
      expect(run).toHaveLength(4);
    } finally {
      jest.useRealTimers();
    }
  });

  it('S2-07 are those of the tools that the run was frozen with, as far as they are listed', () => {
    const { tools } = setUp();
    expect(['facts_get', 'later', 'not_listed'].map((name) => tools.locality(name))).toEqual([
      'local',
      null,
      null,
    ]);
    expect(tools.describe('facts_get')).toMatchObject({ description: 'Says facts_get.' });
    expect(tools.describe('later')).toBeNull();
    expect([tools.entityTypes('facts_get'), tools.entityTypes('later')]).toEqual([['phone'], []]);
  });

  it('S2-42 describe a tool of an outside server as it was frozen, whether or not this process has it', () => {
    const parameters = {
      type: 'object',
      properties: { n: { type: 'integer', maximum: 9 } },
      required: ['n'],
    };
    const frozen = (name: string, description: string) => ({
      name,
      source: 'cluster',
      description,
      parameters,
      hash: name,
      required: false,
    });
    const { tools } = setUp([], undefined, {
      evidence: {
        items: [],
        tools: [frozen('cluster__logs', 'Reads logs.'), frozen('facts_get', 'As before.')],
      },
    });
    const described = tools.describe('cluster__logs');
    expect(described).toMatchObject({ description: 'Reads logs.', parameters });
    expect([{ n: 4 }, { n: 40 }, {}].map((args) => described!.asks.safeParse(args).success)).toEqual([
      true,
      false,
      false,
    ]);
    expect(tools.describe('facts_get')).toMatchObject({ description: 'As before.', parameters });
    expect(['cluster__logs', 'facts_get'].map((name) => tools.locality(name))).toEqual(['remote', 'remote']);
    expect(tools.describe('later')).toBeNull();
  });
});
