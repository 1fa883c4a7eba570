import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Condition } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { countOutcomes, startExperiment, testAct } from '../testing/experiments.js';
import { fetchServed } from '../testing/fetch-served.js';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../testing/five-services.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

/** Overdue after a third of a second. */
const SOON_HOURS = 0.0001;
const settings = (maxBatch: number) => ({
  intake: { maxBatch },
  reviews: { answerWithinHours: { default: SOON_HOURS, 'message-screening': SOON_HOURS } },
  // It gets no message, so that no attempt fails.
  destinations: {
    oncall: { type: 'webhook', url: 'https://oncall.example/in', when: { playbook: 'research' } },
  },
});
const question = (hour: string) => ({
  playbook: 'scam-verdict',
  text: `Können wir das Treffen auf ${hour} Uhr verschieben?`,
});

interface Fault {
  id: string;
  severity: Condition['severity'];
  /** Words of its text. */
  text: string | RegExp;
  /** Words of what to do. */
  act: string;
  cause(): Promise<unknown>;
  repair(): Promise<unknown>;
}

/** Adds 30 verdicts of ten days ago that are right, and 30 of two days ago, of which 5 are right. */
const LABELLED_VERDICTS = `
  with copies as (select gen_random_uuid() as run_id, n, case when n <= 30 then 10 else 2 end as days
    from generate_series(1, 60) n), verdicts as (
    insert into verdict_figures
    select (jsonb_populate_record(null::verdict_figures, to_jsonb(v) || jsonb_build_object('run_id', c.run_id,
      'playbook', 'scam-verdict', 'unpriced', 0, 'decided_at', now() - c.days * interval '1 day'))).*
    from (select * from verdict_figures limit 1) v cross join copies c)
  insert into feedback (id, case_id, run_id, agrees, outcome, "by", note, at)
  select gen_random_uuid(), run_id, run_id, n <= 35, '{}', 'ann', 'a test of quality', now() - interval '1 day' from copies`;

describe('T-20 conditions, caused in a running system, hold together and disappear after the repair', () => {
  let world: FiveServices;
  const open = new Map<string, Condition>();
  const api = async (path: string, body?: object): Promise<unknown> => {
    const request =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetchServed(`${world.service('console').url}/api/v1${path}`, request);
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
    return answer;
  };
  const listed = async () => ((await api('/conditions')) as { conditions: Condition[] }).conditions;
  const rows = (text: string, params: unknown[] = []) =>
    world.store.database.rows<Record<string, string>>(text, params);
  const restart = async (maxBatch: number) => {
    writeFileSync(world.configFile, JSON.stringify(settings(maxBatch)));
    await world.service('ingest').signal('SIGTERM');
    await world.service('ingest').start();
  };
  const answerReviews = async () => {
    const { reviews } = (await api('/reviews')) as { reviews: { id: string }[] };
    for (const { id } of reviews)
      await api(`/reviews/${id}/answer`, { by: 'ann', outcome: { riskLevel: 'low' } });
  };
  const disk = () => join(world.folder, 'postgres');
  const letter = randomUUID();
  const experiments = { back: '', both: '' };
  let unlock: () => void = () => undefined;
  let locked: Promise<unknown> = Promise.resolve();

  const faults: Fault[] = [
    {
      id: 'service_absent.critic-writer',
      severity: 'error',
      text: 'No critic-writer is running',
      act: 'Start the service critic-writer; it was stopped in order',
      cause: () => world.service('critic-writer').signal('SIGTERM'),
      repair: () => world.service('critic-writer').start(),
    },
    {
      id: 'queue_old',
      severity: 'warning',
      text: /^Live work waits for more than 2 minutes: \w+ \(1\)$/,
      act: 'Check that the service of the stage runs',
      cause: async () => {
        await world.alert(question('fünf'));
        await until('the job waits, and is old', async () => {
          const text = `update bullmq.job set added_at_ms = added_at_ms - 180000
            where state = 'waiting' and queue not like 'verdicts%' returning id`;
          return (await rows(text)).length > 0;
        });
      },
      // The service that works on it starts again.
      repair: async () => undefined,
    },
    {
      id: 'settings_differ',
      severity: 'warning',
      text: 'Ingest has other settings or kinds of case than the reasoner',
      act: 'Give every service the same files in CASEFILE_CONFIG',
      cause: () => restart(50),
      repair: () => restart(100),
    },
    {
      id: 'destination_paused.oncall',
      severity: 'error',
      text: 'The destination oncall is paused by ann: a fault',
      act: 'casefile destinations resume oncall',
      cause: () => api('/destinations/oncall/pause', { by: 'ann', reason: 'a fault' }),
      repair: () => api('/destinations/oncall/resume', { by: 'ann' }),
    },
    {
      id: 'destination_failing.oncall',
      severity: 'error',
      text: /^The destination oncall has accepted nothing since 20.+Z \(it answered HTTP 429\); 0 deliveries wait$/,
      act: 'casefile destinations test oncall',
      cause: () =>
        rows(`insert into destinations (name, failing_since, last_failure_at, last_problem)
          values ('oncall', now() - interval '1 min', now(), 'HTTP 429')
          on conflict (name) do update set failing_since = excluded.failing_since,
            last_failure_at = excluded.last_failure_at, last_problem = excluded.last_problem`),
      repair: () => rows('update destinations set failing_since = null'),
    },
    {
      id: 'model_slow.scam-verdict',
      severity: 'error',
      text: 'acme/big is too slow for scam-verdict: 5 of the last 5 calls had no answer within deadlineMs',
      act: 'Raise playbooks.scam-verdict.deadlineMs',
      cause: () =>
        rows(`
          insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id,
            request_hash, request, draw, state, error_code, latency_ms)
          select gen_random_uuid(), r.id, '', 'reason', 1, n, 1, 'acme', 'big', 'p@1', 'h', '{}', '{}', 'failed', 'timeout', 5000
          from (select id from runs limit 1) r, generate_series(1, 5) n`),
      repair: () => rows(`delete from llm_interactions where provider = 'acme'`),
    },
    {
      id: 'dead_letters',
      severity: 'warning',
      text: '1 dead letter waits: ',
      act: 'casefile dead-letters list',
      cause: () =>
        world.store.deadLetters.bury({
          id: letter,
          reasonCode: 'invalid_input',
          message: 'no text',
          payload: {},
        }),
      repair: () => api('/dead-letters/drop', { ids: [letter] }),
    },
    {
      id: 'provider_out.acme',
      severity: 'error',
      text: 'The provider is not available: acme (it refuses the key)',
      act: 'Try now under Providers and budgets',
      cause: () =>
        world.store.providers.failed({
          provider: 'acme',
          reasonCode: 'bad_key',
          openAfter: 1,
          openMs: 600_000,
          maxOpenMs: 600_000,
        }),
      repair: () => world.store.providers.succeeded('acme'),
    },
    {
      id: 'budget_nearly_used.day.usd',
      severity: 'warning',
      text: 'Budget nearly used: budgets.day.usd 90 %',
      act: 'Raise the setting budgets.day.usd',
      cause: () =>
        rows(
          `insert into budgets (key, "window", measure, "limit", spent) values ('day:usd', $1, 'usd', 100, 90)`,
          [new Date().toISOString().slice(0, 10)],
        ),
      repair: () => rows(`update budgets set raised = 900 where key = 'day:usd'`),
    },
    {
      id: 'provider_unpriced',
      severity: 'warning',
      text: 'Calls of the last day without a price: openai (3)',
      act: 'Set the prices of the model in the settings, section providers',
      cause: () => rows(`update verdict_figures set provider = 'openai', calls = 3, unpriced = 3`),
      repair: () => rows('update verdict_figures set unpriced = 0'),
    },
    {
      id: 'reviews_overdue',
      severity: 'warning',
      text: '1 verdict waits for a person for longer than allowed: 1 scam-verdict',
      act: 'Answer them in the Inbox',
      // The verdict of the start of this test waits already.
      cause: async () => undefined,
      repair: answerReviews,
    },
    {
      id: 'quality_low.scam-verdict',
      severity: 'warning',
      text: 'Fewer verdicts of scam-verdict are right: 5 of 30 labelled (17 %) in the last 7 days, 30 of 30 labelled (100 %)',
      act: 'Read the verdicts that people corrected',
      cause: () => rows(LABELLED_VERDICTS),
      repair: () => rows(`delete from feedback where note = 'a test of quality'`),
    },
    {
      id: 'step_back',
      severity: 'warning',
      text: 'stepped back',
      act: 'casefile experiments reset',
      cause: async () => {
        experiments.back = await startExperiment(world.store, 'incident');
        await countOutcomes(world.store, experiments.back, { control: '........', changed: 'xxxxxxxx' });
      },
      repair: () => api(`/experiments/${experiments.back}/reset`, testAct()),
    },
    {
      id: 'both_arms_fail',
      severity: 'warning',
      text: 'Both arms of the experiment shorter prompt fail: invalid_answer',
      act: 'its state is on the page Providers and cost',
      cause: async () => {
        experiments.both = await startExperiment(world.store, 'research');
        await countOutcomes(world.store, experiments.both, {
          control: 'x'.repeat(20),
          changed: 'x'.repeat(20),
        });
      },
      repair: () =>
        countOutcomes(world.store, experiments.both, { control: '.'.repeat(20), changed: '.'.repeat(20) }),
    },
    {
      id: 'flag_copy_stale',
      severity: 'warning',
      text: /not read flags and prompt versions for more than 10 s$/,
      act: 'Check its connection to the database',
      cause: async () => {
        const released = new Promise<void>((resolve) => (unlock = resolve));
        await new Promise<void>((resolve) => {
          locked = world.store.database.transaction(async (tx) => {
            await tx.rows('lock table prompt_versions in access exclusive mode');
            resolve();
            await released;
          });
        });
      },
      repair: async () => {
        unlock();
        await locked;
      },
    },
    {
      id: 'disk_low',
      severity: 'error',
      text: 'The disk of the embedded database has 0.0 GiB free',
      act: 'Free space on the disk of',
      // The file system /proc has no free space.
      cause: async () => symlinkSync('/proc', disk()),
      repair: async () => {
        rmSync(disk());
        mkdirSync(disk());
      },
    },
    {
      id: 'knowledge_empty.scam-patterns',
      severity: 'warning',
      text: 'scam',
      act: 'casefile',
      cause: () =>
        rows('create table kept_patterns as select * from scam_patterns').then(() =>
          rows('delete from scam_patterns'),
        ),
      repair: () => rows('insert into scam_patterns select * from kept_patterns'),
    },
  ];

  const expected = faults.map(({ id }) => id).sort();
  beforeAll(async () => {
    world = await fiveServices({
      services: [...FIVE_SERVICES, 'console'],
      settings: settings(100),
      env: () => ({ LLM_PROVIDER: 'none' }),
    });
    await world.start();
    await world.alert(question('vier'));
    const hasFigures = async () => (await rows('select run_id from verdict_figures')).length > 0;
    await until('its verdict has figures', hasFigures);
    for (const { cause } of faults) await cause();
    // A process on a busy machine may be silent for a moment, which is a condition too.
    const areListed = async () => {
      const conditions = await listed();
      for (const condition of conditions) open.set(condition.id, condition);
      const ids = conditions.map(({ id }) => id).sort();
      return ids.join() === expected.join();
    };
    await until('each fault is a condition, and nothing else', areListed, 20, WHOLE_SYSTEM_MS);
    // A service that starts reads the locked table, so the lock is released first.
    for (const { repair } of [...faults].reverse()) await repair();
    const isEmpty = async () => {
      // The case that waited for the service is decided now, and its verdict waits for a person too.
      await answerReviews();
      return (await listed()).length === 0;
    };
    await until('no condition is left', isEmpty, 20, WHOLE_SYSTEM_MS);
  }, 600_000);
  afterAll(() => world.close());

  it.each(faults)('$id says since when, what it affects and what to do', (fault) => {
    const condition = open.get(fault.id);
    expect(condition).toMatchObject({
      severity: fault.severity,
      text:
        typeof fault.text === 'string'
          ? expect.stringContaining(fault.text)
          : expect.stringMatching(fault.text),
      effect: expect.stringMatching(/^[A-Z].*\.$/),
      act: expect.stringContaining(fault.act),
      since: expect.stringMatching(/^20\d\d-/),
    });
  });
});
