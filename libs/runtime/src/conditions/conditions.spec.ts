import { readFileSync } from 'node:fs';
import {
  CONDITION_IDS,
  newArmHealth,
  noTelemetry,
  silentLogger,
  type DestinationState,
  type ProcessState,
  type Reading,
  type Telemetry,
  type WatchedExperiment,
} from '@casefile/contracts';
import { aProcess, manualClock } from '@casefile/contracts/testing';
import type { EmptyBase } from '@casefile/knowledge';
import { conditionFamilies, measureConditions, openConditions } from './conditions.js';
import type { ConditionSources } from './read-facts.js';

const services = ['console', 'ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'];
const stages = [
  { name: 'reason', app: 'reasoner' },
  { name: 'critique', app: 'critic-writer' },
];
const parts = { stages, services, kinds: [], providers: [], budgets: [] };
const at = (time: string) => `2026-01-05T${time}.000Z`;

/** A healthy process for each service, all with the same settings. */
const all = (over: Record<string, Partial<ProcessState>> = {}): ProcessState[] =>
  services.map((name, i) =>
    aProcess({
      pid: i + 1,
      services: [name],
      installationDigest: ['console', 'ingest', 'decision'].includes(name) ? null : 'installation',
      startedAt: at('09:00:00'),
      changedAt: at('09:00:00'),
      ...over[name],
    }),
  );

/** Returns a running experiment with healthy arms. */
function watched(flag: Partial<WatchedExperiment['flag']> = {}): WatchedExperiment {
  const name = 'experiment.one';
  const set = { by: 'ann', reason: 'start', version: 1, latched: false, changedAt: at('09:40:00') };
  return {
    id: 'one',
    name: 'shorter prompt',
    flag: { name, variant: 'on', ...set, ...flag },
    control: newArmHealth('control'),
    changed: newArmHealth('new'),
  };
}

/** Returns the conditions of a console that has run for half a minute, at 10:00:30. */
async function conditionsOf(
  processes: ProcessState[],
  {
    upForMs = 30_000,
    emptyBases = [] as EmptyBase[],
    due = [] as { stage: string; n: number }[],
    destinations = [] as DestinationState[],
    experiments = [] as WatchedExperiment[],
  } = {},
) {
  const clock = manualClock();
  const sources: ConditionSources = {
    store: {
      processes: { list: async () => processes },
      record: { dueUnits: async () => due },
      destinations: { added: async () => [], states: async () => destinations },
      flags: { watched: async () => experiments },
      silences: { list: async () => [] },
    },
    destinations: destinations.map(({ name }) => name),
    knowledge: { emptyBases: async () => emptyBases },
    clock,
    log: silentLogger,
    ...parts,
  };
  const conditions = openConditions(sources);
  clock.advance(upForMs);
  return (await conditions()).conditions;
}

const pause = { pausedBy: 'casefile', pausedWhy: 'The receiver answered 410: it is gone.' };
const counts = {
  failingSince: null,
  lastFailureAt: null,
  lastProblem: null,
  lastSuccessAt: null,
  pending: 3,
  exhausted: 0,
};
const oncall: DestinationState = { name: 'oncall', pausedAt: at('09:50:00'), ...pause, ...counts };

describe('conditions', () => {
  it('are none while every service runs with the same version and settings, in six processes or in one', async () => {
    expect(await conditionsOf(all())).toEqual([]);
    expect(await conditionsOf([aProcess({ services })])).toEqual([]);
  });

  it('T-20 report a knowledge base that is empty, once the starting set had time to be imported', async () => {
    const emptyBases = [{ name: 'words', text: 'There are no words', effect: 'None.', act: 'Import some.' }];
    expect(await conditionsOf(all(), { emptyBases })).toEqual([
      {
        id: 'knowledge_empty.words',
        severity: 'warning',
        since: at('10:00:30'),
        text: 'There are no words',
        effect: 'None.',
        act: 'Import some.',
        link: '/',
      },
    ]);
    expect(await conditionsOf(all(), { emptyBases, upForMs: 5_000 })).toEqual([]);
  });

  it('name a service that is silent for 10 s, since when, how much waits for it and what to do', async () => {
    const dead = { seenAt: at('09:47:00'), silentMs: 780_000, pid: 42 };
    const due = Object.entries({ reason: 5, critique: 2 }).map(([stage, n]) => ({ stage, n }));
    expect(await conditionsOf(all({ reasoner: dead }), { due })).toEqual([
      {
        id: 'service_absent.reasoner',
        severity: 'error',
        since: at('09:47:00'),
        text: 'No reasoner is running: 5 units wait for it',
        effect: 'Cases wait to be judged; nothing is lost.',
        act: 'Start the service reasoner, and read its log: it was process 42 on host-a.',
        link: '/operate#flow',
      },
    ]);
    expect(await conditionsOf(all({ reasoner: { silentMs: 9_000 } }))).toEqual([]);
  });

  it('tell a service that was stopped in order from one that died, and one that never ran', async () => {
    const stopped = { stoppedAt: at('09:50:00'), silentMs: 600_000 };
    const [one] = await conditionsOf(all({ decision: stopped }));
    expect(one).toMatchObject({
      since: at('09:50:00'),
      act: 'Start the service decision; it was stopped in order on host-a.',
    });
    const [never] = await conditionsOf(all().filter(({ services }) => services[0] !== 'ingest'));
    expect(never).toMatchObject({
      since: at('10:00:30'),
      act: expect.stringContaining('none has run on this record'),
    });
  });

  it('wait with absent services until the console has run for 27 s', async () => {
    const alone = [aProcess({ services: ['console'] })];
    expect(await conditionsOf(alone, { upForMs: 26_000 })).toEqual([]);
    expect(await conditionsOf(alone, { upForMs: 28_000 })).toHaveLength(5);
  });

  it('count no more units than they need to', async () => {
    const dead = { silentMs: 780_000 };
    const [found] = await conditionsOf(all({ reasoner: dead }), { due: [{ stage: 'reason', n: 1_000 }] });
    expect(found?.text).toBe('No reasoner is running: more than 1000 units wait for it');
  });

  it.each([
    ['version', { version: '1.1.0' }, 'versions_differ', 'warning', 'Ingest runs another version'],
    [
      'settings',
      { settingsDigest: 'other' },
      'settings_differ',
      'warning',
      'Ingest has other settings or kinds of case',
    ],
  ])('name a service with another %s than the reasoner', async (_what, over, id, severity, text) => {
    const found = await conditionsOf(all({ ingest: { ...over, changedAt: at('09:30:00') } }));
    expect(found).toEqual([
      expect.objectContaining({ id, severity, since: at('09:30:00'), text: expect.stringContaining(text) }),
    ]);
  });

  it('name services that ask models and can ask others than the reasoner, and none that asks no model', async () => {
    const other = { installationDigest: 'other' };
    const found = await conditionsOf(all({ 'critic-writer': other, 'evidence-collector': other }));
    expect(found).toEqual([expect.objectContaining({ id: 'models_differ', severity: 'error' })]);
    expect(found[0]?.text).toMatch(/^Critic-writer and evidence-collector can ask other models/);
  });

  it('wait until a difference is 10 s old, as in a restart of all services', async () => {
    const young = { settingsDigest: 'other', changedAt: at('10:00:25') };
    expect(await conditionsOf(all({ ingest: young }))).toEqual([]);
  });

  it('name a paused destination, why, what waits and what to do, until it is resumed', async () => {
    expect(await conditionsOf(all(), { destinations: [oncall] })).toEqual([
      {
        id: 'destination_paused.oncall',
        severity: 'error',
        since: at('09:50:00'),
        text: 'The destination oncall is paused by casefile: The receiver answered 410: it is gone.',
        effect: 'It receives nothing. 3 deliveries wait; nothing is lost.',
        act: 'Fix the receiver, send a test, then resume it: casefile destinations resume oncall',
        link: '/operate/destinations',
      },
    ]);
    expect(await conditionsOf(all(), { destinations: [{ ...oncall, pausedAt: null }] })).toEqual([]);
  });

  it('S4-57 name an experiment that stepped back, why and what to do, until a person resets it', async () => {
    const experiment = watched({ latched: true, variant: 'off', reason: 'arm new failed 6 times in a row' });
    expect(await conditionsOf(all(), { experiments: [experiment] })).toEqual([
      {
        id: 'step_back',
        severity: 'warning',
        since: at('09:40:00'),
        text: 'The experiment shorter prompt stepped back: arm new failed 6 times in a row',
        effect: 'New runs use the normal settings. The experiment does not continue on its own.',
        act: 'Fix the cause, then reset the experiment: casefile experiments reset one --reason WHY',
        link: '/experiments/one',
      },
    ]);
    const older = {
      ...experiment,
      name: 'other model',
      flag: { ...experiment.flag, changedAt: at('08:00:00') },
    };
    expect(await conditionsOf(all(), { experiments: [experiment, older] })).toEqual([
      expect.objectContaining({
        since: at('08:00:00'),
        text: expect.stringMatching(/^2 experiments stepped back: shorter prompt: arm .*; other model: arm /),
      }),
    ]);
    expect(await conditionsOf(all(), { experiments: [watched()] })).toEqual([]);
  });

  it('S4-57 report errors of both arms, which are not the fault of the new arm', async () => {
    const failed = {
      runId: 'r',
      event: '1.1',
      at: at('09:55:00'),
      fault: 'network',
      isShared: true as const,
    };
    const failing = watched();
    failing.control.consecutive = 2;
    failing.changed.last = [failed, { ...failed, at: at('09:56:00') }];
    expect(await conditionsOf(all(), { experiments: [failing] })).toEqual([
      expect.objectContaining({
        id: 'both_arms_fail',
        severity: 'warning',
        since: at('09:55:00'),
        text: 'Both arms of the experiment shorter prompt fail: network',
      }),
    ]);
    failing.control.consecutive = 0;
    expect(await conditionsOf(all(), { experiments: [failing] })).toEqual([]);
  });

  it('S4-57 name a process whose copy of the flags is older than 10 s', async () => {
    const found = await conditionsOf(all({ ingest: { rolloutAgeMs: 10_001, seenAt: at('10:00:30') } }));
    expect(found).toEqual([
      expect.objectContaining({
        id: 'flag_copy_stale',
        severity: 'warning',
        since: '2026-01-05T10:00:19.999Z',
        text: 'Ingest has not read flags and prompt versions for more than 10 s',
      }),
    ]);
    expect(await conditionsOf(all({ ingest: { rolloutAgeMs: 10_000 } }))).toEqual([]);
    expect(await conditionsOf(all({ ingest: { rolloutAgeMs: null } }))).toEqual([]);
  });

  it('have the ids that rules of destinations may name', () => {
    expect(conditionFamilies().sort()).toEqual([...CONDITION_IDS].sort());
  });

  it('list errors before warnings', async () => {
    const over = { ingest: { settingsDigest: 'other' }, decision: { silentMs: 60_000 } };
    const found = await conditionsOf(all(over));
    expect(found.map(({ id }) => id)).toEqual(['service_absent.decision', 'settings_differ']);
  });

  it('are gauges of their ids and severities, 1 while they hold', async () => {
    let read: () => Reading | Promise<Reading> = () => 0;
    const telemetry: Pick<Telemetry, 'gauge'> = {
      gauge: (_name, reading) => ((read = reading), noTelemetry.gauge('', () => 0)),
    };
    const destinations = [{ ...oncall, name: 'added' }];
    const holding = () => conditionsOf(all({ reasoner: { silentMs: 60_000 } }), { destinations });
    const named = { services, destinations: ['oncall'], kinds: ['a-kind'] };
    const names = { ...named, providers: ['acme'], budgets: ['day.usd'] };
    measureConditions(names, holding, telemetry);
    const values = await read();
    if (typeof values === 'number') throw new Error('expected a value per condition');
    const gauges = new Map(values.map(({ value, labels }) => [Object.values(labels).join(' '), value]));
    expect([...gauges.keys()]).toEqual([
      'store_out error',
      'queue_out error',
      'queue_evicts error',
      'replica_behind warning',
      ...services.map((name) => `service_absent.${name} error`),
      'versions_differ warning',
      'settings_differ warning',
      'models_differ error',
      'knowledge_empty.scam-patterns warning',
      'destination_paused.oncall error',
      'destination_failing.oncall error',
      'schedule_failing warning',
      'feed_failing warning',
      'step_back warning',
      'both_arms_fail warning',
      'flag_copy_stale warning',
      'queue_old warning',
      'dead_letters warning',
      'provider_out.acme error',
      'model_slow.a-kind error',
      'budget_used.day.usd error',
      'budget_nearly_used.day.usd warning',
      'provider_unpriced warning',
      'disk_low error',
      'reviews_overdue warning',
      'silence_withheld warning',
      'quality_low.a-kind warning',
      'destination_paused.added error',
    ]);
    expect(gauges.get('service_absent.reasoner error')).toBe(1);
    expect(gauges.get('service_absent.ingest error')).toBe(0);
    expect(gauges.get('destination_paused.added error')).toBe(1);
    const page = readFileSync(new URL('../../../../docs/reference/conditions.md', import.meta.url), 'utf8');
    const ids = [...gauges.keys()].map((name) => name.split(/[. ]/)[0] ?? '');
    expect(ids.filter((id) => !page.includes(`\n## ${id}\n`))).toEqual([]);
  });
});
