import type { Condition } from '@casefile/contracts';
import type { ConditionFacts, WorkFacts } from './condition-facts.js';
import { modelSlow } from './model-slow.js';
import {
  budgetNearlyUsed,
  budgetUsed,
  deadLettersWait,
  diskLow,
  providerOut,
  providerUnpriced,
  queueOld,
  reviewsOverdue,
} from './work-conditions.js';

const RULES = [
  queueOld,
  deadLettersWait,
  providerOut,
  budgetUsed,
  budgetNearlyUsed,
  providerUnpriced,
  diskLow,
  reviewsOverdue,
  modelSlow,
];

function holding(work: WorkFacts): Condition[] {
  const facts = { work, now: Date.parse('2026-01-05T10:00:30.000Z') } as ConditionFacts;
  return RULES.flatMap((rule) => rule.holding(facts));
}

describe('conditions of the work', () => {
  /** A pipeline without trouble. */
  const healthy = (over: Partial<WorkFacts['pipeline']> = {}): WorkFacts => ({
    pipeline: {
      stages: [],
      tools: [],
      providers: [],
      budgets: [],
      deadLetters: 0,
      at: '2026-01-05T10:00:25.000Z',
      ...over,
    },
    letters: [],
    unpriced: [],
    disk: { path: 'data', freeBytes: 50 * 1024 ** 3 },
    reviews: [],
    calls: [],
  });
  const stage = (oldestAgeMs: number | null, lane: 'live' | 'bulk' = 'live') => ({
    stage: 'reason',
    app: 'reasoner',
    lanes: [
      {
        lane,
        waiting: 4,
        active: 0,
        delayed: 0,
        oldestAgeMs,
        ratePerMinute: 0,
        failuresLastHour: 0,
        notConfiguredLastHour: 0,
      },
    ],
  });
  const provider = (state: 'open' | 'half-open' | 'closed') => ({
    provider: 'acme',
    state,
    reasonCode: 'bad_key',
    failures: 5,
    until: null,
  });
  const budget = (spent: number, key = 'day') => ({
    key,
    window: '2026-01-05',
    measure: 'usd' as const,
    limit: 1_000,
    spent,
    reserved: 50,
    limitUsd: 0.001,
    spentUsd: 0,
    reservedUsd: 0,
  });

  it('say since when the oldest work waits, also if the view of the pipeline is some seconds old', () => {
    const [old] = holding(healthy({ stages: [stage(150_000)] }));
    expect(old?.since).toBe('2026-01-05T09:57:55.000Z');
  });

  it.each([
    ['live work that is too old', healthy({ stages: [stage(150_000)] }), 'queue_old', 'reason (4)'],
    [
      'dead letters',
      {
        ...healthy({ deadLetters: 2 }),
        letters: [{ reasonCode: 'crashed_repeatedly', count: 2, oldestAt: '2026-01-05T09:00:00.000Z' }],
      },
      'dead_letters',
      '2 dead letters wait: the stage ended its process three times',
    ],
    [
      'an open circuit',
      healthy({ providers: [provider('open')] }),
      'provider_out.acme',
      'The provider is not available: acme (it refuses the key)',
    ],
    [
      'a circuit that is probed',
      healthy({ providers: [provider('half-open')] }),
      'provider_out.acme',
      'The provider is not available: acme',
    ],
    [
      'a budget that is nearly used',
      healthy({ budgets: [budget(750)] }),
      'budget_nearly_used.day',
      'Budget nearly used: budgets.day 80 %',
    ],
    [
      'a budget that is used up',
      healthy({ budgets: [budget(950)] }),
      'budget_used.day',
      'Budget used up: budgets.day 100 %',
    ],
    [
      'calls without a price',
      { ...healthy(), unpriced: [{ provider: 'm', calls: 3 }] },
      'provider_unpriced',
      'm (3)',
    ],
    [
      'a disk that is nearly full',
      { ...healthy(), disk: { path: 'data', freeBytes: 1024 ** 3 } },
      'disk_low',
      '1.0 GiB',
    ],
    [
      'S4-59 verdicts that wait for too long',
      {
        ...healthy(),
        reviews: [
          { playbook: 'parcel', count: 9, overdue: 2, oldest: '2026-01-01T00:00:00.000Z' },
          { playbook: 'letter', count: 1, overdue: 0, oldest: '2026-01-05T00:00:00.000Z' },
        ],
      },
      'reviews_overdue',
      '2 verdicts wait for a person for longer than allowed: 2 parcel',
    ],
  ])('T-20 report %s, and nothing after the repair', (_what, work, id, words) => {
    const found = holding(work);
    expect(found).toEqual([expect.objectContaining({ id, text: expect.stringContaining(words) })]);
    for (const text of [found[0]?.effect, found[0]?.act]) expect(text).toMatch(/^[A-Z].*[a-z.)]$/);
  });

  it('T-20 report no work that is as it should be', () => {
    const work = healthy({
      stages: [stage(110_000), stage(null), stage(9_000_000, 'bulk')],
      providers: [provider('closed')],
      budgets: [
        budget(749),
        budget(990, 'case:*:usd'),
        budget(990, 'batch:b:usd'),
        { ...budget(990), window: '2026-01-04' },
      ],
    });
    expect(holding(work)).toEqual([]);
    expect(holding({ ...work, disk: null })).toEqual([]);
  });

  it('T-20 are separate for each provider and budget, and for a budget that is nearly and one that is fully used', () => {
    const work = healthy({
      providers: [provider('open'), { ...provider('half-open'), provider: 'other' }],
      budgets: [budget(750), budget(950, 'lane:bulk:usd'), budget(800, 'playbook:incident:tokens')],
    });
    expect(holding(work).map(({ id, severity }) => [id, severity])).toEqual([
      ['provider_out.acme', 'error'],
      ['provider_out.other', 'error'],
      ['budget_used.lane.bulk.usd', 'error'],
      ['budget_nearly_used.day', 'warning'],
      ['budget_nearly_used.playbook.incident.tokens', 'warning'],
    ]);
  });

  it('T-20 name a model that is regularly slower than the deadline, with the figure and the setting', () => {
    const times = {
      playbook: 'scam-verdict',
      provider: 'ollama',
      model: 'big',
      deadlineMs: 5_000,
      calls: 20,
      late: 12,
      medianMs: 8_230,
    };
    const slow = (over: Partial<typeof times>) => holding({ ...healthy(), calls: [{ ...times, ...over }] });
    expect(slow({})).toEqual([
      expect.objectContaining({
        id: 'model_slow.scam-verdict',
        severity: 'error',
        text: 'ollama/big is too slow for scam-verdict: 12 of the last 20 calls had no answer within deadlineMs 5000 (median 8.2 s)',
        act: expect.stringContaining('Raise playbooks.scam-verdict.deadlineMs, now 5000'),
      }),
    ]);
    expect(slow({ late: 9 })).toEqual([]);
    expect(slow({ calls: 4, late: 4 })).toEqual([]);
  });
});
