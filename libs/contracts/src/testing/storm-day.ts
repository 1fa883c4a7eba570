import { seededRandom } from '../seeded-random.js';
import {
  begunStorm,
  joinedStorm,
  stormFor,
  type AlertCorrelation,
  type KnownStorm,
} from '../storms/correlation.js';
import { decideStorm, type LeadVerdict, type StormMember } from '../storms/storm-verdict.js';
import type { Severity } from '../transitions/grade.js';

/** An alert of the day. `cause`: what really caused it; alerts with the same cause belong together. */
interface DayAlert {
  id: string;
  at: number;
  cause: string;
  isHidden: boolean;
  correlation: AlertCorrelation;
}

/** Result of a day of mixed storms. */
export interface StormDay {
  alerts: number;
  /** Alerts that joined a storm. */
  joined: number;
  /** Alerts that joined a storm of another cause. */
  wronglyJoined: number;
  /** Runs that judged an alert or a storm. */
  judged: number;
  pages: number;
  /** Pages that the alerts would have caused one by one. */
  pagesWithout: number;
  /** Critical alerts that no page reported. */
  missed: string[];
  /** Unrelated critical alerts that were hidden in storms, and how many of them were paged separately. */
  hidden: { alerts: number; paged: number };
  /** Maximum number of pages about one cause. */
  mostPagesOfACause: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WINDOW_MS = 5 * MINUTE;
/** Time in which a run decides. */
const RUN_MS = 2 * SECOND;
/** Services of one system: a chain of dependencies. Systems do not depend on each other. */
const CHAIN = 3;

/** Rules of a simulated day. Only tests change them. */
export interface DayRules {
  stormFor: typeof stormFor;
  decideStorm: typeof decideStorm;
}

/**
 * Plays 24 hours of storms and unrelated alerts through the rules of storms, driven by time. 20 critical alerts of other
 * services are hidden in the storms.
 */
export function playStormDay(seed: number, rules: DayRules = { stormFor, decideStorm }): StormDay {
  const alerts = dayOfAlerts(seed);
  const storms = new Map<string, SimulatedStorm>();
  const place = new Map<string, { storm: SimulatedStorm; member: StormMember }>();
  const pages: { at: number; cause: string; listed: Set<string> }[] = [];
  let judged = 0;
  let next = 0;
  const page = (storm: SimulatedStorm, now: number): void => {
    pages.push({ at: now, cause: storm.cause, listed: new Set(storm.members.map(({ caseId }) => caseId)) });
  };
  const arrive = (alert: DayAlert, now: number): void => {
    const known = [...storms.values()].map((one) => ({ ...one.known, seenAgoMs: now - one.seenAt }));
    const joined = rules.stormFor('incident', alert.correlation, known);
    const { name, services, dependsOn, severity, beganAt } = alert.correlation;
    const facts = {
      caseId: alert.id,
      runId: alert.id,
      name,
      services,
      dependsOn,
      severity,
      beganAt,
      joinedAt: now,
    };
    const storm = joined === null ? begin(alert, now) : storms.get(joined.id)!;
    if (joined !== null) storm.known = joinedStorm(storm.known, alert.correlation);
    storm.seenAt = now;
    const member: StormMember = { ...facts, state: joined === null ? 'lead' : 'waiting' };
    storm.members.push(member);
    place.set(alert.id, { storm, member });
  };
  const begin = (alert: DayAlert, now: number): SimulatedStorm => {
    judged += 1;
    const known = begunStorm(alert.id, 'incident', alert.correlation);
    const run = { openedAt: now, isOfStorm: false, isNews: true };
    const storm = { known, cause: alert.cause, seenAt: now, members: [], run, verdict: null };
    storms.set(alert.id, storm);
    return storm;
  };
  for (let now = 0; now <= 25 * HOUR; now += SECOND) {
    for (let alert = alerts[next]; alert !== undefined && alert.at <= now; alert = alerts[++next])
      arrive(alert, now);
    for (const storm of storms.values()) {
      if (storm.run !== null && now - storm.run.openedAt >= RUN_MS) {
        const disposition = storm.known.severity === 'critical' ? ('act' as const) : ('review' as const);
        const { openedAt, isOfStorm, isNews } = storm.run;
        storm.verdict = {
          runId: storm.known.id,
          disposition,
          openedAt,
          decidedAt: now,
          isOfStorm,
          isOverruled: false,
        };
        storm.run = null;
        if (disposition === 'act' && isNews) page(storm, now);
      }
      if (now - storm.seenAt > 15 * MINUTE) storms.delete(storm.known.id);
      if (storm.members.length < 2) continue;
      const { members } = storm;
      // While a run judges the storm, its case has no verdict.
      const verdict = storm.run === null ? storm.verdict : null;
      const decided = rules.decideStorm({ members, verdict, canUpdate: storm.run === null, now });
      for (const member of decided.take) member.state = 'taken';
      for (const member of decided.alone) {
        member.state = 'alone';
        judged += 1;
        if (member.severity === 'critical')
          pages.push({ at: now, cause: storm.cause, listed: new Set([member.caseId]) });
      }
      if (decided.update === null) continue;
      judged += 1;
      storm.run = { openedAt: now, isOfStorm: true, isNews: decided.update === 'news' };
    }
  }
  const listed = new Set(pages.flatMap((one) => [...one.listed]));
  // An alert of the sort of a page that left is covered by it, also if it came later.
  const isReported = ({ id }: DayAlert): boolean => listed.has(id) || place.get(id)?.member.state === 'taken';
  const causeOf = (id: string): string => alerts.find((one) => one.id === id)!.cause;
  const joined = alerts.filter(({ id }) => place.get(id)?.member.state !== 'lead');
  const criticals = alerts.filter(({ correlation }) => correlation.severity === 'critical');
  const hidden = alerts.filter(({ isHidden }) => isHidden);
  const pagesOf = new Map<string, number>();
  for (const { cause } of pages) pagesOf.set(cause, (pagesOf.get(cause) ?? 0) + 1);
  return {
    alerts: alerts.length,
    joined: joined.length,
    wronglyJoined: joined.filter(({ id, cause }) => causeOf(place.get(id)!.storm.known.id) !== cause).length,
    judged,
    pages: pages.length,
    pagesWithout: criticals.length,
    missed: criticals.filter((alert) => !isReported(alert)).map(({ id }) => id),
    hidden: {
      alerts: hidden.length,
      paged: hidden.filter(({ id }) => place.get(id)?.member.state === 'lead' && listed.has(id)).length,
    },
    mostPagesOfACause: Math.max(...pagesOf.values()),
  };
}

interface SimulatedStorm {
  known: KnownStorm;
  cause: string;
  seenAt: number;
  members: StormMember[];
  run: { openedAt: number; isOfStorm: boolean; isNews: boolean } | null;
  verdict: LeadVerdict | null;
}

// Twelve storms, 200 single alerts of other systems, and 20 critical ones that begin in the middle of storms.
function dayOfAlerts(seed: number): DayAlert[] {
  const random = seededRandom(seed);
  const between = (from: number, to: number): number => from + random() * (to - from);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const alerts: DayAlert[] = [];
  const add = (
    at: number,
    cause: string,
    system: string,
    level: number,
    more: Partial<AlertCorrelation> = {},
    isHidden = false,
  ) =>
    alerts.push({
      id: `${alerts.length}`,
      at,
      cause,
      isHidden,
      correlation: { ...correlationOf(system, level, at), ...more },
    });
  for (let storm = 0; storm < 12; storm += 1) {
    const begins = between(storm * 2, storm * 2 + 1) * HOUR;
    const system = `system${storm}`;
    const group = random() < 0.5 ? `{}:{alertname="Down${storm}"}` : null;
    const severities: Severity[] = random() < 0.7 ? ['critical'] : ['warning', 'critical'];
    const names = group === null ? ['Slow', 'Errors', 'Down'] : [`Down${storm}`];
    for (let i = 0; i < between(20, 200); i += 1) {
      const at = begins + between(0, 3 * MINUTE);
      add(at, system, system, Math.floor(between(0, CHAIN)), {
        group,
        name: pick(names),
        severity: pick(severities),
      });
    }
  }
  for (let i = 0; i < 200; i += 1) {
    const severity = pick<Severity>(['critical', 'warning', 'info']);
    add(between(0, 24) * HOUR, `single${i}`, `single${i}`, 0, { severity });
  }
  for (let i = 0; i < 20; i += 1) {
    const amid = pick(alerts.filter(({ cause }) => cause.startsWith('system'))).at + between(0, MINUTE);
    add(amid, `hidden${i}`, `hidden${i}`, 0, { name: 'Fire' }, true);
  }
  return alerts.toSorted((a, b) => a.at - b.at);
}

function correlationOf(system: string, level: number, at: number): AlertCorrelation {
  const service = (n: number): string => `${system}-${n}`;
  const near = [level - 1, level, level + 1].filter((n) => n >= 0 && n < CHAIN).map(service);
  return {
    group: null,
    services: [service(level)],
    near,
    dependsOn: level + 1 < CHAIN ? [service(level + 1)] : [],
    isMapped: true,
    name: 'Down',
    severity: 'critical',
    beganAt: at,
    windowMs: WINDOW_MS,
  };
}
