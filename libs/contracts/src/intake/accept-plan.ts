import { shownText } from '../artifacts/alert.js';
import type { Lane, StageNudge } from '../job.js';
import type { JsonObject } from '../json.js';
import type { AcceptRequest, AcceptResult, EarlierVerdict } from '../ports/runs.js';
import type { CaseStatus } from '../record.js';
import { isDue } from './judged-again.js';
import type { KnownCase } from './known-case.js';
import {
  firstOccurrence,
  meetOccurrence,
  type KnownOccurrences,
  type OccurrenceEffect,
} from './occurrence.js';

interface KnownKey {
  key: string;
  bodyDigest: string;
  alertId: string;
  caseId: string;
  runId: string;
  joined: boolean;
}

/** The recorded facts about all alerts that arrive together. */
export interface KnownAtIntake {
  keys: KnownKey[];
  /** Alerts already recorded under the ids of the requests, because the response to them was lost. */
  alerts: Omit<KnownKey, 'key' | 'bodyDigest'>[];
  cases: KnownCase[];
  /** Unavailable providers: their circuits are open. */
  providersOut: string[];
}

/** The writes for the requests that bring something new. */
export interface AcceptPlan {
  results: AcceptResult[];
  cases: Map<string, CaseChange>;
  alerts: { request: AcceptRequest; caseId: string }[];
  runs: { request: AcceptRequest; caseId: string }[];
  keys: KnownKey[];
  events: { type: string; caseId: string; runId: string; data: JsonObject }[];
}

/** A new case (`isNew`), or the changes of an existing one. */
export interface CaseChange {
  id: string;
  isNew: boolean;
  playbook: string;
  fingerprint: string | null;
  alerts: number;
  /** null: unchanged. */
  text: string | null;
  /** The newest run opened for the case. null: none. */
  runId: string | null;
  lane: Lane;
  /** null: the case belongs to no labelled set. */
  dataset: string | null;
  /** The new state of its occurrences. null: unchanged. */
  occurrences: KnownOccurrences | null;
  /** true: its newest occurrence was reported as resolved; false: it fires again; null: neither. */
  resolved: boolean | null;
  /** A status other than the one that a new run sets. null: none. */
  status: CaseStatus | null;
}

/**
 * Decides the results of alerts that arrive together, in order: each sees the effects of those before it. The
 * caller must hold a lock that keeps `known` up to date.
 */
export function planAccept(requests: AcceptRequest[], known: KnownAtIntake): AcceptPlan {
  const plan: AcceptPlan = { results: [], cases: new Map(), alerts: [], runs: [], keys: [], events: [] };
  const keys = new Map(known.keys.map((key) => [key.key, key]));
  const alerts = new Map(known.alerts.map((alert) => [alert.alertId, alert]));
  const cases = new Map(known.cases.map((one) => [one.fingerprint, one]));
  const byId = new Map(known.cases.map((one) => [one.id, one]));
  const providersOut = new Set(known.providersOut);
  for (const request of requests) {
    const repeated = earlierAnswer(request, keys, alerts);
    if (repeated?.kind === 'key-reused') {
      plan.results.push(repeated);
      continue;
    }
    const again = repeated === null ? undefined : caseOfKey(request, repeated, alerts, byId);
    if (repeated !== null && again?.status !== 'decided') {
      plan.results.push(again === undefined ? repeated : { ...repeated, runId: again.newestRunId });
      continue;
    }
    const knownCase = again ?? (request.fingerprint === null ? undefined : cases.get(request.fingerprint));
    if (knownCase === undefined && request.onlyIfFiring === true && request.occurrence?.resolved === true) {
      plan.results.push({ kind: 'over' });
      continue;
    }
    const answer = take(plan, request, knownCase, providersOut);
    const { caseId, runId, joined } = answer;
    plan.results.push(answer);
    alerts.set(request.alertId, { alertId: request.alertId, caseId, runId, joined });
    if (request.idempotency !== null && again === undefined) {
      const key = { ...request.idempotency, alertId: request.alertId, caseId, runId, joined };
      keys.set(key.key, key);
      plan.keys.push(key);
    }
    const now = knownAfterAccept(knownCase, request, answer, plan.cases.get(caseId));
    byId.set(caseId, now);
    if (now.fingerprint !== null) cases.set(now.fingerprint, now);
  }
  return plan;
}

type RepeatedResult = Extract<AcceptResult, { kind: 'repeated' }>;

function earlierAnswer(
  request: AcceptRequest,
  keys: Map<string, KnownKey>,
  alerts: Map<string, KnownAtIntake['alerts'][number]>,
): RepeatedResult | { kind: 'key-reused' } | null {
  const key = request.idempotency === null ? undefined : keys.get(request.idempotency.key);
  if (key !== undefined && key.bodyDigest !== request.idempotency?.bodyDigest) return { kind: 'key-reused' };
  const earlier = alerts.get(request.alertId) ?? key;
  if (earlier === undefined) return null;
  const { alertId, caseId, runId, joined } = earlier;
  return { kind: 'repeated', alertId, caseId, runId, joined };
}

// Returns the case selected by its key. A request that is repeated because its response was lost changes
// nothing.
function caseOfKey(
  { again, alertId }: AcceptRequest,
  repeated: RepeatedResult,
  alerts: ReadonlyMap<string, unknown>,
  byId: ReadonlyMap<string, KnownCase>,
): KnownCase | undefined {
  if (again !== 'key' || alerts.has(alertId)) return undefined;
  return byId.get(repeated.caseId);
}

function take(
  plan: AcceptPlan,
  request: AcceptRequest,
  knownCase: KnownCase | undefined,
  providersOut: ReadonlySet<string>,
): AcceptedResult {
  const effect = meet(knownCase, request, providersOut);
  const opensRun =
    knownCase === undefined ||
    (effect === null
      ? isDue(knownCase, request, providersOut)
      : effect.opensRun || isAskedFor(knownCase, request));
  const place: AlertPlace = {
    alertId: request.alertId,
    caseId: knownCase?.id ?? request.caseId,
    runId: opensRun ? request.runId : knownCase.newestRunId,
    joined: knownCase !== undefined,
  };
  const { caseId } = place;
  noteCase(plan, request, knownCase, caseId, opensRun, effect);
  plan.alerts.push({ request, caseId });
  if (opensRun) plan.runs.push({ request, caseId });
  tell(plan, request, place, opensRun, effect);
  const nudges = opensRun ? [firstNudge(request)] : [];
  const verdict = opensRun ? null : earlierVerdict(knownCase);
  return { kind: 'accepted', ...place, nudges, ...(verdict === null ? {} : { verdictOf: verdict }) };
}

type AcceptedResult = Extract<AcceptResult, { kind: 'accepted' }>;
type AlertPlace = Pick<AcceptedResult, 'alertId' | 'caseId' | 'runId' | 'joined'>;

// Returns whether a person requested the run. Occurrences then do not matter.
function isAskedFor({ status }: KnownCase, { again }: AcceptRequest): boolean {
  return again === true || (again === 'key' && status === 'decided');
}

/**
 * Returns the effect of the alert on the occurrences of its case. null: its alerts cannot be distinguished.
 */
function meet(
  knownCase: KnownCase | undefined,
  request: AcceptRequest,
  providersOut: ReadonlySet<string>,
): OccurrenceEffect | null {
  const { occurrence } = request;
  if (occurrence === undefined || occurrence === null) return null;
  if (knownCase !== undefined) {
    const occurrences = knownCase.occurrences ?? { ...firstOccurrence(occurrence), isResolved: false };
    return meetOccurrence(occurrences, occurrence, isDue(knownCase, request, providersOut));
  }
  const { resolved } = occurrence;
  const effect = { opensRun: true, resolves: resolved, fires: !resolved, flaps: false, isLate: false };
  return { ...effect, after: firstOccurrence(occurrence) };
}

function knownAfterAccept(
  knownCase: KnownCase | undefined,
  { fingerprint, caseId: id }: AcceptRequest,
  { runId, nudges }: AcceptedResult,
  change: CaseChange | undefined,
): KnownCase {
  const occurrences = change?.occurrences ?? knownCase?.occurrences ?? null;
  if (knownCase === undefined || nudges.length > 0) {
    const open = { status: 'open' as const, decidedAgoMs: null, newestRunId: runId, verdict: null };
    return {
      id: knownCase?.id ?? id,
      fingerprint: knownCase?.fingerprint ?? fingerprint,
      ...open,
      occurrences,
    };
  }
  return { ...knownCase, status: change?.status ?? knownCase.status, occurrences };
}

function earlierVerdict({ status, verdict }: KnownCase): EarlierVerdict | null {
  if (status !== 'decided' || verdict === null) return null;
  const { runId, decidedAt, degraded, degradedNote } = verdict;
  return { runId, decidedAt, degraded, degradedNote };
}

function noteCase(
  plan: AcceptPlan,
  request: AcceptRequest,
  knownCase: KnownCase | undefined,
  caseId: string,
  opensRun: boolean,
  effect: OccurrenceEffect | null,
): void {
  const before = plan.cases.get(caseId);
  const text = shownText(request.alert);
  const after = effect === null ? null : opensRun ? { ...effect.after, isUnderWay: true } : effect.after;
  plan.cases.set(caseId, {
    id: caseId,
    isNew: before?.isNew ?? knownCase === undefined,
    playbook: request.alert.playbook,
    fingerprint: request.fingerprint,
    alerts: (before?.alerts ?? 0) + 1,
    text: effect?.isLate === true ? (before?.text ?? null) : text,
    runId: opensRun ? request.runId : (before?.runId ?? null),
    lane: opensRun ? request.lane : (before?.lane ?? request.lane),
    dataset: request.dataset ?? null,
    occurrences: after ?? before?.occurrences ?? null,
    resolved: effect?.resolves ? true : effect?.fires ? false : (before?.resolved ?? null),
    status:
      acceptRequestStatus(request, knownCase, effect, opensRun) ??
      (opensRun ? null : (before?.status ?? null)),
  });
}

// If the end of an occurrence closes its case, a new occurrence opens the case.
function acceptRequestStatus(
  { occurrence }: AcceptRequest,
  knownCase: KnownCase | undefined,
  effect: OccurrenceEffect | null,
  opensRun: boolean,
): CaseStatus | null {
  if (effect?.resolves === true && occurrence?.closes === true) return 'closed';
  if (opensRun || effect?.fires !== true || knownCase?.status !== 'closed') return null;
  return effect.after.isUnderWay ? 'open' : 'decided';
}

function tell(
  plan: AcceptPlan,
  request: AcceptRequest,
  { alertId, caseId, runId, joined }: AlertPlace,
  opensRun: boolean,
  met: OccurrenceEffect | null,
): void {
  const { lane, alert, sender } = request;
  const of = { caseId, runId };
  const { playbook, chosenBy } = alert;
  const chosen: JsonObject = chosenBy === undefined ? {} : { chosenBy: { ...chosenBy } };
  const sent: JsonObject = sender === undefined ? {} : { sender };
  plan.events.push({
    type: 'alert.accepted',
    ...of,
    data: { alertId, playbook, joined, ...chosen, ...sent },
  });
  if (!joined) plan.events.push({ type: 'case.created', ...of, data: { playbook, lane } });
  if (opensRun) plan.events.push({ type: 'run.created', ...of, data: runFacts(request) });
  const startedAt = request.occurrence?.startedAt ?? null;
  if (met?.resolves) plan.events.push({ type: 'alert.resolved', ...of, data: { alertId, startedAt } });
  if (met?.flaps)
    plan.events.push({ type: 'case.flapping', ...of, data: { alertId, startedAt, count: met.after.flaps } });
}

/** Returns the data of the event `run.created`. */
export function runFacts(run: Pick<AcceptRequest, 'alertId' | 'lane' | 'settings'>): JsonObject {
  const { playbook, playbookVersion, strategy, provider, model } = run.settings;
  return { alertId: run.alertId, lane: run.lane, playbook, playbookVersion, strategy, provider, model };
}

export function firstNudge(run: Pick<AcceptRequest, 'runId' | 'firstStage' | 'lane'>): StageNudge {
  return {
    kind: 'stage',
    runId: run.runId,
    unit: '',
    stage: run.firstStage,
    round: 1,
    lane: run.lane,
    nudge: 1,
  };
}
