import { aProcess } from '@casefile/contracts/testing';
import { pipelineView } from './pipeline-view.js';
import { FIGURES, pipelineSources as sources } from './testing/pipeline-sources.js';

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
      queueOutage: null,
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
