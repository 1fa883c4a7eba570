import { newArmHealth, silentLogger, type WatchedExperiment } from '@casefile/contracts';
import { aProcess, manualClock } from '@casefile/contracts/testing';
import type { ConditionRule } from './condition-facts.js';
import { openConditions, type OpenConditions } from './conditions.js';
import type { ConditionSources } from './read-facts.js';
import { StoreWatch } from './store-watch.js';

const STEPPED_BACK: WatchedExperiment = {
  id: 'one',
  name: 'shorter prompt',
  flag: {
    name: 'experiment.one',
    variant: 'off',
    by: 'casefile',
    reason: 'it failed',
    version: 1,
    latched: true,
    changedAt: '2026-01-05T09:40:00.000Z',
  },
  control: newArmHealth('control'),
  changed: newArmHealth('new'),
};
const away = () => Promise.reject(new Error('away'));

/** Returns id and text of the conditions of the n-th reading after the start. One experiment stepped back. */
async function conditionsOf(over: Partial<ConditionSources> = {}, readings = 2): Promise<[string, string][]> {
  return (await stateOf(over, 30_000, undefined, readings)).conditions.map(({ id, text }) => [id, text]);
}

const storeWith = (over: Partial<ConditionSources['store']>): ConditionSources['store'] => ({
  processes: { list: async () => [aProcess({ services: ['ingest'] })] },
  record: { dueUnits: async () => [] },
  destinations: { added: async () => [], states: async () => [] },
  flags: { watched: async () => [STEPPED_BACK] },
  silences: { list: async () => [] },
  ...over,
});

/** Sources of an installation without problems but one: an experiment stepped back. */
const quietSources = (clock: ConditionSources['clock']): ConditionSources => ({
  store: storeWith({}),
  knowledge: { emptyBases: async () => [] },
  clock,
  log: silentLogger,
  stages: [],
  services: ['ingest'],
  destinations: [],
  kinds: [],
  providers: [],
  budgets: [],
});

async function stateOf(
  over: Partial<ConditionSources>,
  upForMs = 30_000,
  rules?: readonly ConditionRule[],
  readings = 1,
): Promise<OpenConditions> {
  const clock = manualClock();
  const conditions = openConditions({ ...quietSources(clock), ...over }, rules);
  clock.advance(upForMs);
  for (let n = 1; n < readings; n += 1) {
    await conditions();
    jest.advanceTimersByTime(10_000);
  }
  return conditions();
}

const stepBack = ['step_back', expect.stringContaining('stepped back')];

describe('T-20 the conditions if a source fails', () => {
  // A reading is used for a second.
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are those of the other sources, and the outage of the stores', async () => {
    const clock = manualClock();
    const watches = { store: new StoreWatch(away, clock), queue: new StoreWatch(away, clock) };
    const found = await conditionsOf({ watches, quality: away, knowledge: { emptyBases: away } });
    expect(found).toEqual([['queue_out', 'away'], ['store_out', 'away'], stepBack]);
  });

  it('name the questions that a database did not answer although it answers probes', async () => {
    const found = await conditionsOf({ quality: away, knowledge: { emptyBases: away } });
    const text = 'The database did not answer in time about: knowledge, quality';
    expect(found).toEqual([['store_out', text], stepBack]);
  });

  it('report no outage when a database was late once, and none when different questions were late', async () => {
    expect(await conditionsOf({ quality: away }, 1)).toEqual([stepBack]);
    let n = 0;
    const firstOnly = () => ((n += 1) === 1 ? away() : Promise.resolve([]));
    let m = 0;
    const secondOnly = () => ((m += 1) === 2 ? away() : Promise.resolve([]));
    expect(await conditionsOf({ quality: firstOnly, schedules: secondOnly })).toEqual([stepBack]);
  });

  it('report no absent service while the processes cannot be read', async () => {
    const store = {
      processes: { list: away },
      record: { dueUnits: away },
      destinations: { added: away, states: away },
      flags: { watched: away },
      silences: { list: away },
    };
    expect((await conditionsOf({ store })).map(([id]) => id)).toEqual(['store_out']);
  });

  it('leave unknown what they cannot tell, so that no condition counts as over', async () => {
    const { unknown } = await stateOf({ quality: away, knowledge: { emptyBases: away } });
    expect([...unknown]).toEqual(['knowledge_empty', 'quality_low']);
    const clock = manualClock();
    const watches = {
      store: new StoreWatch(async () => undefined, clock),
      queue: new StoreWatch(away, clock),
    };
    expect([...(await stateOf({ watches })).unknown]).toEqual(['queue_old']);
    // Just after the start nobody knows which services are absent.
    expect([...(await stateOf({}, 1_000)).unknown]).toEqual(['service_absent', 'knowledge_empty']);
  });

  it('are the last known ones of a source that fails, with the time of their reading, until it can be read', async () => {
    const clock = manualClock();
    const list = jest.fn(async () => [aProcess({ services: ['console'] })]);
    const conditions = openConditions({ ...quietSources(clock), store: storeWith({ processes: { list } }) });
    clock.advance(30_000);
    const [read] = (await conditions()).conditions;
    expect(read).toMatchObject({ id: 'service_absent.ingest' });
    expect(read).not.toHaveProperty('asOf');
    const readAt = new Date(clock.now()).toISOString();
    for (const seconds of [40, 80]) {
      clock.advance(40_000);
      jest.advanceTimersByTime(10_000);
      list.mockImplementation(away);
      const state = await conditions();
      const stale = state.conditions.filter(({ id }) => id === 'service_absent.ingest');
      expect([seconds, stale]).toEqual([seconds, [{ ...read, asOf: readAt }]]);
      expect(state.unknown).toContain('service_absent');
      // The failure itself is a condition, and the first, because it can be read now.
      if (seconds > 40) expect(state.conditions.map(({ id }) => id).slice(0, 2)).toEqual(['store_out', 'service_absent.ingest']); // prettier-ignore
    }
    list.mockImplementation(async () => [aProcess({ services: ['ingest'] })]);
    jest.advanceTimersByTime(10_000);
    expect((await conditions()).conditions.map(({ id }) => id)).toEqual(['step_back']);
  });

  it('leave a rule unknown that fails itself, and keep the others', async () => {
    const ids =
      (id: string): ConditionRule['ids'] =>
      () => [{ id, severity: 'error' }];
    const broken: ConditionRule = {
      ids: ids('broken.one'),
      reads: [],
      holding: () => {
        throw new Error('a fault of the rule');
      },
    };
    const holds = {
      id: 'well',
      severity: 'error' as const,
      since: null,
      text: '',
      effect: '',
      act: '',
      link: '/',
    };
    const well: ConditionRule = { ids: ids('well'), reads: [], holding: () => [holds] };
    const { conditions, unknown } = await stateOf({}, 30_000, [broken, well]);
    expect([conditions.map(({ id }) => id), [...unknown]]).toEqual([['well'], ['broken']]);
  });
});
