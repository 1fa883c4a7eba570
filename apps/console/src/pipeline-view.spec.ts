import type { PipelineFigures, QueueDepth } from '@casefile/contracts';
import { aProcess, manualClock } from '@casefile/contracts/testing';
import { pipelineView, type PipelineSources } from './pipeline-view.js';

const FIGURES: PipelineFigures = {
  stages: [
    { name: 'reason', lane: 'live', doneLastMinute: 4, failedLastHour: 1, notConfiguredLastHour: 0 },
    { name: 'reason', lane: 'batch', doneLastMinute: 2, failedLastHour: 0, notConfiguredLastHour: 0 },
    { name: 'reason', lane: 'replay', doneLastMinute: 3, failedLastHour: 2, notConfiguredLastHour: 0 },
  ],
  tools: [{ name: 'rdap', lane: 'live', doneLastMinute: 7, failedLastHour: 5, notConfiguredLastHour: 6 }],
  models: [{ provider: 'openai', model: 'm', calls: 2, tokens: 30, costUsd: 0.5 }],
  verdicts: { lastHour: 1, byDisposition: { act: 1 }, fallbackRate: 0, abstainRate: 0 },
  deadLetters: 3,
  held: [
    { stage: 'reason', lane: 'live', n: 2 },
    { stage: 'reason', lane: 'batch', n: 5 },
    { stage: 'reason', lane: 'shadow', n: 1 },
  ],
};
const depth = (queue: string, waiting: number, oldestMs: number | null): QueueDepth => ({
  queue,
  waiting,
  active: 1,
  delayed: 2,
  failed: 9,
  oldestMs,
});

function sources(over: Partial<PipelineSources['store']> = {}) {
  const clock = manualClock();
  let looks = 0;
  const found: PipelineSources = {
    clock,
    stages: [
      { name: 'triage', app: 'evidence-collector' },
      { name: 'reason', app: 'reasoner' },
    ],
    toolNames: ['rdap'],
    budgets: { day: { usd: 2, tokens: 900, soft: 0.8 }, lane: {}, playbook: {} },
    queue: {
      depths: async () => {
        looks += 1;
        return [depth('reason', 5, 40), depth('reason.bulk', 6, 50), depth('tool.rdap', 7, null)];
      },
    },
    store: {
      record: { pipelineFigures: async () => FIGURES, roundFigures: async () => [] },
      runs: { backlog: async () => 11 },
      processes: { list: async () => [] },
      providers: {
        states: async () => [
          {
            provider: 'openai',
            state: 'open' as const,
            probeInMs: 5_000,
            reason: 'server_error',
            failures: 4,
            changedAt: '',
          },
        ],
      },
      budgets: {
        states: async () => [
          {
            key: 'day:usd',
            window: '2026-01-05',
            measure: 'usd' as const,
            limit: 2_000_000,
            reserved: 100_000,
            spent: 500_000,
            warned: false,
            changedAt: '',
          },
          {
            key: 'day:tokens',
            window: '2026-01-05',
            measure: 'tokens' as const,
            limit: 900,
            reserved: 0,
            spent: 10,
            warned: false,
            changedAt: '',
          },
        ],
      },
      ...over,
    },
  };
  return { found, clock, looks: () => looks };
}

describe('pipelineView', () => {
  it('S2-31 puts queues and record together, by stage, tool and lane', async () => {
    const view = await pipelineView(sources().found)();
    const none = {
      waiting: 0,
      active: 0,
      delayed: 0,
      oldestAgeMs: null,
      ratePerMinute: 0,
      failuresLastHour: 0,
      notConfiguredLastHour: 0,
    };
    const some = { active: 1, delayed: 2, notConfiguredLastHour: 0 };
    expect(view).toEqual({
      stages: [
        {
          stage: 'triage',
          app: 'evidence-collector',
          lanes: [
            { lane: 'live', ...none },
            { lane: 'bulk', ...none },
          ],
        },
        {
          stage: 'reason',
          app: 'reasoner',
          lanes: [
            {
              lane: 'live',
              waiting: 5,
              held: 2,
              ...some,
              oldestAgeMs: 40,
              ratePerMinute: 4,
              failuresLastHour: 1,
            },
            {
              lane: 'bulk',
              waiting: 6,
              held: 6,
              ...some,
              oldestAgeMs: 50,
              ratePerMinute: 5,
              failuresLastHour: 2,
            },
          ],
        },
      ],
      tools: [
        {
          tool: 'rdap',
          lanes: [
            {
              lane: 'live',
              waiting: 7,
              ...some,
              oldestAgeMs: null,
              ratePerMinute: 7,
              failuresLastHour: 5,
              notConfiguredLastHour: 6,
            },
            { lane: 'bulk', ...none },
          ],
        },
      ],
      models: FIGURES.models,
      verdicts: FIGURES.verdicts,
      providers: [
        {
          provider: 'openai',
          state: 'open',
          reasonCode: 'server_error',
          failures: 4,
          until: '2026-01-05T10:00:05.000Z',
        },
      ],
      budgets: [
        {
          key: 'day:usd',
          window: '2026-01-05',
          measure: 'usd',
          limit: 2_000_000,
          spent: 500_000,
          reserved: 100_000,
          limitUsd: 2,
          spentUsd: 0.5,
          reservedUsd: 0.1,
        },
        {
          key: 'day:tokens',
          window: '2026-01-05',
          measure: 'tokens',
          limit: 900,
          spent: 10,
          reserved: 0,
          limitUsd: 0,
          spentUsd: 0,
          reservedUsd: 0,
        },
      ],
      deadLetters: 3,
      backlog: 11,
      at: '2026-01-05T10:00:00.000Z',
    });
  });

  it('S2-31 has budgets that are configured and not used yet, by name those that were not used of late', async () => {
    const asked: unknown[] = [];
    const { found } = sources({
      budgets: {
        states: async (_limit, named) => {
          asked.push(named?.map(({ key }) => key));
          return [];
        },
      },
    });
    const bound = { tokens: 500, soft: 0.8 };
    const budgets = { case: { usd: 0.5, soft: 0.8 }, lane: { batch: bound }, playbook: { p: bound } };
    const view = await pipelineView({ ...found, budgets })();
    const unused = { spent: 0, reserved: 0 };
    expect(view.budgets).toMatchObject([
      { ...unused, key: 'lane:batch:tokens', window: '2026-01-05', measure: 'tokens', limit: 500 },
      { ...unused, key: 'playbook:p:tokens', window: '2026-01-05', measure: 'tokens', limit: 500 },
      { ...unused, key: 'case:*:usd', window: 'all', measure: 'usd', limitUsd: 0.5, spentUsd: 0 },
    ]);
    expect(asked).toEqual([['lane:batch:tokens', 'playbook:p:tokens', 'case:*:usd']]);
  });

  it('looks once a second, however many ask', async () => {
    const { found, clock, looks } = sources();
    const view = pipelineView(found);
    await Promise.all(Array.from({ length: 50 }, view));
    clock.advance(999);
    await view();
    expect(looks()).toBe(1);
    clock.advance(1);
    await view();
    expect(looks()).toBe(2);
  });

  it('has one look in progress at a time, and looks less often if it takes long', async () => {
    const { found, clock, looks } = sources();
    const { depths } = found.queue;
    let seconds = 3;
    found.queue.depths = async () => {
      for (let i = 0; i < seconds; i += 1) {
        await null;
        clock.advance(1_000);
        void view();
      }
      return depths();
    };
    const view = pipelineView(found);
    await view();
    expect(looks()).toBe(1);
    seconds = 0;
    clock.advance(11_999);
    await view();
    expect(looks()).toBe(1);
    clock.advance(1);
    await view();
    expect(looks()).toBe(2);
    clock.advance(1_000);
    await view();
    expect(looks()).toBe(3);
  });

  it('looks anew after an error', async () => {
    let fails = true;
    const { found } = sources({
      runs: {
        backlog: async () => {
          if (fails) throw new Error('away');
          return 1;
        },
      },
    });
    const view = pipelineView(found);
    await expect(view()).rejects.toThrow('away');
    fails = false;
    expect((await view()).backlog).toBe(1);
  });

  it('says whether the configured models answered when the process that asks them started', async () => {
    const { found } = sources();
    expect(await pipelineView(found)()).not.toHaveProperty('probes');
    const probe = { provider: 'openai', model: 'm', answers: false, ms: 3, why: 'connection refused' };
    const asked = sources({ processes: { list: async () => [aProcess({ probes: [probe] })] } }).found;
    expect(await pipelineView(asked)()).toMatchObject({ probes: [probe] });
  });

  it('counts what is held back, for a provider that is out above all, in its stage', async () => {
    const { stages } = await pipelineView(sources().found)();
    const heldIn = (name: string) =>
      stages.find(({ stage }) => stage === name)?.lanes.map(({ held }) => held);
    expect(heldIn('reason')).toEqual([2, 6]);
    expect(heldIn('triage')).toEqual([undefined, undefined]);
  });
});
