import type { PostgresStore } from '@casefile/store';
import { startAlertmanager, type Alertmanager, type FiredAlert } from '../testing/alertmanager.js';
import type { World } from '../testing/world.js';

export interface AlertRun {
  alerts: number;
  groups: number;
  /** Number of Alertmanagers. They post the same alerts and do not know each other. */
  senders: number;
  /** Number of times that each alert is posted again before it ends. */
  repeats: number;
  /** Time for which intake accepts nothing, while the alerts end. */
  outageMs: number;
  groupSeconds: number;
  repeatSeconds: number;
  say(line: string): void;
}

/** Results, counted on the record. */
export interface AlertFigures {
  cases: number;
  runs: number;
  /** Cases with exactly two runs. */
  secondRuns: number;
  /** Alerts without a case, and cases without a second run. */
  lost: number;
  /** Cases beyond one per alert, and runs beyond two per case. */
  twice: number;
  undecided: number;
  /** Cases that were recorded as resolved by the end of their first occurrence. */
  resolved: number;
  /** Alerts in the accepted posts. */
  posted: number;
  /** Number of posts that intake refused because of overload. */
  refused: number;
  flaps: number;
}

/** Timeout for a run that hangs. */
const WITHIN_MS = 600_000;

interface Counted {
  cases: number;
  resolved: number;
  decided: number;
  runs: number;
  posted: number;
  least: number;
  second: number;
  twice: number;
  flaps: number;
}

const COUNTED = `
  select count(*)::int as cases, count(c.resolved_at)::int as resolved, coalesce(sum(c.alert_count), 0)::int as posted,
    coalesce(min(c.alert_count), 0)::int as least, coalesce(sum(c.flaps), 0)::int as flaps,
    count(*) filter (where c.status = 'decided')::int as decided, coalesce(sum(r.n), 0)::int as runs,
    count(*) filter (where r.n = 2)::int as second, coalesce(sum(greatest(r.n - 2, 0)), 0)::int as twice
  from cases c cross join lateral (select count(*) as n from runs where case_id = c.id) r where c.playbook = $1`;

/**
 * Sends alerts through real Alertmanagers to this world: they fire, are posted again, end while intake is
 * overloaded, and fire again.
 * @param kind Kind of case that accepts the alerts. The record must not have cases of this kind yet.
 */
export async function runAlerts(world: World, kind: string, options: AlertRun): Promise<AlertFigures> {
  const { store } = world.platform;
  const { database } = store as unknown as PostgresStore;
  const count = async () => (await database.rows<Counted>(COUNTED, [kind]))[0] as Counted;
  const reached = async (what: string, holds: (now: Counted) => boolean): Promise<void> => {
    for (const until = Date.now() + WITHIN_MS; ; await pause(250)) {
      const now = await count();
      if (holds(now)) return options.say(`${what}: ${JSON.stringify(now)}`);
      if (Date.now() > until) throw new Error(`not within time: ${what}: ${JSON.stringify(now)}`);
    }
  };
  const overload = overloadOf(store.runs);
  const { alerts, groupSeconds, repeatSeconds } = options;
  const webhookUrl = `${world.ingestUrl}/v1/webhooks/alertmanager`;
  const sender = { webhookUrl, groupBy: 'group', groupSeconds, repeatSeconds };
  const senders = await startAll(options.senders, () => startAlertmanager(sender));
  const tell = async (startsAt: number, endsAt?: number) => {
    const all = alertsOf(options, startsAt, endsAt);
    for (const one of senders) await one.fire(all);
  };
  try {
    const first = Date.now() - 60_000;
    await tell(first);
    await reached('fired', ({ cases, decided }) => cases >= alerts && decided >= alerts);
    const posts = 1 + options.repeats;
    await reached('repeated', ({ least }) => least >= posts);
    overload.begin();
    await tell(first, Date.now());
    await pause(options.outageMs);
    // On a busy machine a sender may not have posted within the outage yet.
    await reached('refused', () => overload.refused() > 0);
    const refused = overload.end();
    await reached('over', ({ resolved }) => resolved >= alerts);
    const { resolved } = await count();
    await tell(Date.now());
    await reached('fired again', ({ second, decided }) => second >= alerts && decided >= alerts);
    // Long enough for every sender to post all alerts once more.
    await pause((groupSeconds + 2 * repeatSeconds) * 1_000);
    const { cases, runs, second, decided, twice, posted, flaps } = await count();
    const missing = Math.max(0, alerts - cases) + Math.max(0, alerts - second);
    const more = Math.max(0, cases - alerts) + twice;
    const figures = {
      cases,
      runs,
      secondRuns: second,
      lost: missing,
      twice: more,
      undecided: cases - decided,
    };
    return { ...figures, resolved, posted, refused, flaps };
  } finally {
    overload.end();
    for (const one of senders) await one.stop();
  }
}

function alertsOf({ alerts, groups }: AlertRun, startsAt: number, endsAt?: number): FiredAlert[] {
  return Array.from({ length: alerts }, (_, i) => ({
    labels: {
      alertname: 'ProbeFailed',
      group: `g${i % groups}`,
      instance: `host-${i}`,
      severity: 'critical',
    },
    annotations: { summary: `The probe of host-${i} fails` },
    startsAt: new Date(startsAt).toISOString(),
    ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt).toISOString() }),
  }));
}

async function startAll(n: number, start: () => Promise<Alertmanager>): Promise<Alertmanager[]> {
  const started: Alertmanager[] = [];
  try {
    while (started.length < n) started.push(await start());
    return started;
  } catch (error) {
    for (const one of started) await one.stop();
    throw error;
  }
}

/** Makes intake answer as it does with a full backlog, and counts these answers. */
function overloadOf(runs: { backlog(): Promise<number> }) {
  const real = runs.backlog;
  let refused = 0;
  return {
    begin: () => {
      runs.backlog = async () => {
        refused += 1;
        return Number.MAX_SAFE_INTEGER;
      };
    },
    refused: () => refused,
    end: () => {
      runs.backlog = real;
      return refused;
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
