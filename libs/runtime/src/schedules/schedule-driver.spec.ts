import { CasefileError, silentLogger, type ScheduleState, type Schedules } from '@casefile/contracts';
import type { ConfiguredSchedule } from '../config/schedule-settings.js';
import type { AcceptOptions } from '../intake/accept-options.js';
import { ScheduleDriver } from './schedule-driver.js';

const MINUTE_MS = 60_000;
const DAILY: ConfiguredSchedule = {
  cron: '0 6 * * *',
  timezone: 'UTC',
  lane: 'live',
  alert: { playbook: 'toy', text: 'Check the shop.' },
};

function bench(schedules: Record<string, ConfiguredSchedule> = { daily: DAILY }) {
  let now = Date.parse('2026-01-01T05:00:00Z');
  let failure: CasefileError | null = null;
  const stored = new Map<string, ScheduleState>();
  const states: Schedules = {
    states: async () => [...stored.values()],
    save: async (state) => void stored.set(state.name, state),
  };
  const submitted: { body: unknown; options: AcceptOptions | undefined }[] = [];
  const driver = (of = schedules) =>
    new ScheduleDriver({
      schedules: of,
      states,
      clock: { now: () => now },
      log: silentLogger,
      intake: {
        accept: async (body, options) => {
          if (failure !== null) throw failure;
          submitted.push({ body, options });
          return { alertId: 'a', caseId: `case ${submitted.length}`, runId: 'r', joined: false };
        },
      },
    });
  const tick = (one = driver()) => one.tick(new AbortController().signal);
  return {
    driver,
    tick,
    stored,
    submitted,
    to: (time: string) => void (now = Date.parse(time)),
    pass: (ms: number) => void (now += ms),
    fail: (error: CasefileError | null) => void (failure = error),
  };
}

describe('scheduled alerts', () => {
  it('are submitted at their time, with a key of name and time', async () => {
    const { driver, tick, to, submitted, stored } = bench();
    const one = driver();
    await tick(one);
    to('2026-01-01T05:59:59Z');
    await tick(one);
    expect(submitted).toEqual([]);
    to('2026-01-01T06:00:01Z');
    await tick(one);
    await tick(one);
    expect(submitted).toEqual([
      {
        body: { source: 'schedule/daily', playbook: 'toy', text: 'Check the shop.' },
        options: {
          ownKey: 'schedule daily 2026-01-01T06:00:00.000Z',
          keyedPart: { schedule: 'daily', dueAt: '2026-01-01T06:00:00.000Z' },
          lane: 'live',
          again: true,
        },
      },
    ]);
    expect(stored.get('daily')).toMatchObject({
      lastDueAt: '2026-01-01T06:00:00.000Z',
      lastRunAt: '2026-01-01T06:00:01.000Z',
      lastCaseId: 'case 1',
      failingSince: null,
    });
  });

  it('run the last missed time once after an outage', async () => {
    const { tick, to, submitted } = bench();
    await tick();
    to('2026-01-05T12:00:00Z');
    await tick();
    await tick();
    expect(submitted.map(({ options }) => options?.ownKey)).toEqual([
      'schedule daily 2026-01-05T06:00:00.000Z',
    ]);
  });

  it('run nothing from before a schedule existed or changed', async () => {
    const { driver, tick, to, submitted } = bench();
    to('2026-01-01T07:00:00Z');
    await tick();
    expect(submitted).toEqual([]);
    to('2026-01-01T09:00:00Z');
    await tick(driver({ daily: { ...DAILY, cron: '30 8 * * *' } }));
    expect(submitted).toEqual([]);
  });

  it('keep the reason of a failure with its start, and try again', async () => {
    const { driver, tick, to, pass, fail, submitted, stored } = bench();
    const one = driver();
    await tick(one);
    to('2026-01-01T06:00:00Z');
    fail(new CasefileError('overloaded', 'more than 5 runs wait already'));
    await tick(one);
    const since = '2026-01-01T06:00:00.000Z';
    expect(stored.get('daily')).toMatchObject({
      failingSince: since,
      problem: 'more than 5 runs wait already',
    });
    pass(MINUTE_MS);
    await tick(one);
    expect(stored.get('daily')).toMatchObject({ failingSince: since });
    fail(null);
    pass(MINUTE_MS);
    await tick(one);
    expect(submitted).toHaveLength(1);
    expect(stored.get('daily')).toMatchObject({ failingSince: null, problem: null, lastDueAt: since });
  });

  it('do not keep another schedule from running when one fails', async () => {
    const { tick, to, fail, stored } = bench({ first: DAILY, second: DAILY });
    await tick();
    to('2026-01-01T06:00:00Z');
    fail(new CasefileError('overloaded', 'no'));
    await tick();
    expect([...stored.values()].map(({ problem }) => problem)).toEqual(['no', 'no']);
  });
});
