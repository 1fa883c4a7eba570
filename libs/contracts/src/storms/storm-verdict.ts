import type { Verdict } from '../artifacts/index.js';
import { SEVERITY_RANK, type Severity } from '../transitions/grade.js';

/** Minimum time between two runs that judge a storm, in milliseconds. */
export const STORM_UPDATE_MS = 60_000;
/** A storm whose members exceed those that its page covers by this factor, and by this number, is reported again. */
const MUCH_LARGER = { factor: 2, by: 5 };

/** One alert of a storm. Times in milliseconds since the epoch. */
export interface StormMember {
  caseId: string;
  runId: string;
  /** `lead`: judged for all. `waiting`: nothing decided about it yet. `taken`: it took the verdict of the lead. `alone`: it is judged separately. */
  state: 'lead' | 'waiting' | 'taken' | 'alone';
  /** Name of its alert rule. */
  name: string;
  services: string[];
  dependsOn: string[];
  severity: Severity;
  beganAt: number;
  joinedAt: number;
}

/** The run that decided last on the lead of a storm. */
export interface LeadVerdict {
  runId: string;
  disposition: Verdict['disposition'];
  /** Milliseconds since the epoch at which the run was opened. */
  openedAt: number;
  /** Milliseconds since the epoch at which it decided. Its page lists the alerts that had arrived by then. */
  decidedAt: number;
  /** Whether the run judged all members that had joined before it was opened. */
  isOfStorm: boolean;
  /** Whether a silence withheld the verdict, or a person replaced it. */
  isOverruled: boolean;
}

/** A storm with a decision to make. */
export interface StormState {
  members: readonly StormMember[];
  /** null: its lead has no verdict yet, or waits for another one. */
  verdict: LeadVerdict | null;
  /** Whether its lead can be judged again: it fires, it is decided, and no person answered it. */
  canUpdate: boolean;
  now: number;
}

/** Decision on a storm. */
export interface StormDecision {
  /** Members that take the verdict. */
  take: StormMember[];
  /** Members that are judged separately. */
  alone: StormMember[];
  /**
   * Whether the storm is judged again. `news`: its verdict is sent in any case, because receivers do not know much of the
   * storm. `changes`: its verdict is sent if receivers would act differently. null: it is not judged again now.
   */
  update: 'news' | 'changes' | null;
}

/**
 * Returns what follows from the verdict of the lead for the members of a storm.
 * A page covers members with a name that it lists, apart from numbers. A run that judged the storm covers every member
 * that had joined before; a dismissal covers only those with the name of the lead. A member that no run covered waits for
 * the next run of the storm, and is judged separately if there will be none.
 */
export function decideStorm({ members, verdict, canUpdate, now }: StormState): StormDecision {
  const waiting = members.filter(({ state }) => state === 'waiting');
  if (verdict === null) return { take: [], alone: [], update: null };
  if (verdict.isOverruled) return { take: [], alone: waiting, update: null };
  const lead = members.findLast(({ state }) => state === 'lead');
  const judged = members.filter((member) => wasJudged(member, verdict));
  const reported = members.filter(({ state, joinedAt }) => state === 'lead' || joinedAt <= verdict.decidedAt);
  const listed = alertGroups(reported).slice(0, MOST_LISTED.groups);
  const pagedSorts = new Set([...judged, ...listed].map(sortOf));
  const covers = (member: StormMember): boolean => {
    if (verdict.disposition === 'act') return pagedSorts.has(sortOf(member)) || wasJudged(member, verdict);
    return (
      wasJudged(member, verdict) &&
      (verdict.disposition === 'review' || sortOf(member) === (lead && sortOf(lead)))
    );
  };
  const take = waiting.filter(covers);
  const others = waiting.filter((member) => !covers(member));
  const known = others.filter((member) => wasJudged(member, verdict));
  const unknown = others.filter((member) => !wasJudged(member, verdict));
  const isQuiet = now - verdict.openedAt >= STORM_UPDATE_MS;
  const isNews = unknown.length > 0 || isMuchLarger(casesIn(members), casesIn(reported));
  const isLarger = isMuchLarger(casesIn(members), casesIn(judged));
  const update = isNews ? 'news' : isLarger ? 'changes' : null;
  return { take, alone: canUpdate ? known : others, update: canUpdate && isQuiet ? update : null };
}

// Names of one sort often differ in the number of a host only.
const sortOf = ({ name }: Pick<StormMember, 'name'>): string => name.toLowerCase().replaceAll(/\d+/g, '#');

/** Maximum number of groups that a page lists by name, and of alerts that a case page lists. */
export const MOST_LISTED = { groups: 8, alerts: 100 } as const;

/** Alerts of a storm with one name and the same services. */
export interface AlertGroup extends Pick<StormMember, 'name' | 'services'> {
  /** Highest severity. */
  severity: Severity;
  cases: number;
  /** Start of its first alert. */
  firstAt: number;
}

/** Returns the alerts by name and services, in the order in which they began. A case counts once. */
export function alertGroups(members: readonly StormMember[]): AlertGroup[] {
  const groups = new Map<string, AlertGroup>();
  for (const member of byStart(members)) {
    const { name, services, severity, beganAt } = member;
    const key = JSON.stringify([sortOf(member), services]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { name, services, severity, cases: 1, firstAt: beganAt });
    else {
      group.cases += 1;
      if (SEVERITY_RANK[severity] > SEVERITY_RANK[group.severity]) group.severity = severity;
    }
  }
  return [...groups.values()];
}

/** Returns the newest alert of each case, in the order in which they began. */
export function byStart(members: readonly StormMember[]): StormMember[] {
  return [...new Map(members.map((member) => [member.caseId, member])).values()].toSorted(
    (a, b) => a.beganAt - b.beganAt || a.joinedAt - b.joinedAt || (a.caseId < b.caseId ? -1 : 1),
  );
}

function wasJudged({ state, joinedAt }: StormMember, { isOfStorm, openedAt }: LeadVerdict): boolean {
  return state === 'lead' || (isOfStorm && joinedAt <= openedAt);
}

function isMuchLarger(now: number, before: number): boolean {
  return now >= before * MUCH_LARGER.factor && now - before >= MUCH_LARGER.by;
}

const casesIn = (members: readonly StormMember[]): number =>
  new Set(members.map(({ caseId }) => caseId)).size;

/** A service that probably caused a storm, and the number of its services that depend on it. */
export interface StormRoot {
  service: string;
  dependents: number;
}

/**
 * Returns the service on which most services of a storm depend, directly or through others of the storm. Among equals the
 * one whose alert began first. null: no alert of the storm names a service, or nothing distinguishes several services.
 */
export function probableRoot(members: readonly StormMember[]): StormRoot | null {
  const beganAt = new Map<string, number>();
  const dependsOn = new Map<string, Set<string>>();
  for (const { services, dependsOn: others, beganAt: at } of members)
    for (const service of services) {
      beganAt.set(service, Math.min(at, beganAt.get(service) ?? Infinity));
      dependsOn.set(service, new Set([...(dependsOn.get(service) ?? []), ...others]));
    }
  if (beganAt.size === 0) return null;
  const dependents = new Map([...beganAt.keys()].map((service) => [service, 0]));
  for (const service of beganAt.keys())
    for (const cause of reachable(service, dependsOn))
      if (dependents.has(cause)) dependents.set(cause, (dependents.get(cause) ?? 0) + 1);
  const ranked = [...dependents].toSorted(
    ([a, x], [b, y]) => y - x || (beganAt.get(a) ?? 0) - (beganAt.get(b) ?? 0) || (a < b ? -1 : 1),
  );
  const [[service, count] = ['', 0], second] = ranked;
  const isFirst = second === undefined || (beganAt.get(service) ?? 0) < (beganAt.get(second[0]) ?? 0);
  return count > (second?.[1] ?? 0) || isFirst ? { service, dependents: count } : null;
}

function reachable(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const next = [...(edges.get(from) ?? [])];
  for (let service = next.pop(); service !== undefined; service = next.pop()) {
    if (service === from || found.has(service)) continue;
    found.add(service);
    next.push(...(edges.get(service) ?? []));
  }
  return found;
}
