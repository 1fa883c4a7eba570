import type { Lane, StageNudge } from '../job.js';
import type { JsonObject } from '../json.js';
import type { AcceptRequest, AcceptResult, EarlierVerdict, IgnoredReason } from '../ports/runs.js';
import type { CaseStatus } from '../record.js';
import { isDue } from './judged-again.js';
import type { KnownCase } from './known-case.js';
import {
  alertTransition,
  RECOVERY_REMEMBERED_MS,
  type AlertTransition,
  type RememberedRecovery,
} from '../transitions/alert-transition.js';
import { ALL_RULES, type DisabledRules } from '../transitions/rules.js';
import type { KnownStorm } from '../storms/correlation.js';
import { inStorm, stormOf, type StormAlert } from '../storms/storm-alert.js';
import type { KnownOccurrences, OccurrenceEffect } from './occurrence.js';

interface RecordedAlert {
  alertId: string;
  caseId: string;
  runId: string;
  joined: boolean;
}

/** An idempotency key with the answer to its first alert. An ignored alert has no case. */
type KnownKey = { key: string; bodyDigest: string } & (
  | (RecordedAlert & { ignored: null })
  | { alertId: null; caseId: null; runId: null; joined: false; ignored: IgnoredReason }
);

/** The recorded facts about all alerts that arrive together. */
export interface KnownAtIntake {
  keys: KnownKey[];
  /** Alerts already recorded under the ids of the requests, because the response to them was lost. */
  alerts: RecordedAlert[];
  cases: KnownCase[];
  /** Unavailable providers: their circuits are open. */
  providersOut: string[];
  /** Ends of unknown alerts that arrived before, by fingerprint. */
  recoveries: (RememberedRecovery & { fingerprint: string })[];
  /** Storms that the alerts may join. */
  storms: KnownStorm[];
}

/** The writes for the requests that bring something new. */
export interface AcceptPlan {
  results: AcceptResult[];
  cases: Map<string, CaseChange>;
  alerts: { request: AcceptRequest; caseId: string }[];
  runs: { request: AcceptRequest; caseId: string }[];
  keys: KnownKey[];
  events: { type: string; caseId: string; runId: string; data: JsonObject }[];
  /** Ends of unknown alerts to remember from now on. `startedAt` is ISO 8601; null: not reported. */
  recoveries: { fingerprint: string; startedAt: string | null }[];
  /** Fingerprints whose remembered end is deleted, because a case has them now. */
  joinedRecoveries: string[];
  /** Alerts of storms, and their storms afterwards. */
  stormAlerts: StormAlert[];
  storms: KnownStorm[];
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
  /** The newest run opened for the case that its status follows. null: none. */
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
  /** Parts of the alert by which it joins the case, in words for people. null: its content, or nothing. */
  joinedBy: string | null;
}

/**
 * Decides the results of alerts that arrive together, in order: each sees the effects of those before it. The
 * caller must hold a lock that keeps `known` up to date.
 */
export function planAccept(
  requests: AcceptRequest[],
  known: KnownAtIntake,
  disabled: DisabledRules = ALL_RULES,
): AcceptPlan {
  const plan: AcceptPlan = {
    results: [],
    cases: new Map(),
    alerts: [],
    runs: [],
    keys: [],
    events: [],
    recoveries: [],
    joinedRecoveries: [],
    stormAlerts: [],
    storms: [],
  };
  const storms = new Map(known.storms.map((storm) => [storm.id, storm]));
  const keys = new Map(known.keys.map((key) => [key.key, key]));
  const alerts = new Map(known.alerts.map((alert) => [alert.alertId, alert]));
  const cases = new Map(known.cases.map((one) => [one.fingerprint, one]));
  const byId = new Map(known.cases.map((one) => [one.id, one]));
  const providersOut = new Set(known.providersOut);
  const recoveries = new Map(known.recoveries.map((one) => [one.fingerprint, one]));
  const addKey = (key: KnownKey): void => {
    keys.set(key.key, key);
    plan.keys.push(key);
  };
  for (const request of requests) {
    const repeated = earlierAnswer(request, keys, alerts);
    if (repeated?.kind === 'key-reused' || repeated?.kind === 'ignored') {
      plan.results.push(repeated);
      continue;
    }
    const again = repeated === null ? undefined : caseOfKey(request, repeated, alerts, byId);
    if (repeated !== null && again?.status !== 'decided') {
      plan.results.push(again === undefined ? repeated : { ...repeated, runId: again.newestRunId });
      continue;
    }
    const knownCase = again ?? (request.fingerprint === null ? undefined : cases.get(request.fingerprint));
    const recovery = (request.fingerprint === null ? null : recoveries.get(request.fingerprint)) ?? null;
    const transition = transitionOf(request, knownCase, recovery, providersOut, disabled);
    if (transition.ignored !== null) {
      const { ignored } = transition;
      if (transition.isRemembered) remember(plan, recoveries, request);
      if (request.idempotency !== null)
        addKey({ ...request.idempotency, alertId: null, caseId: null, runId: null, joined: false, ignored });
      plan.results.push({ kind: 'ignored', why: ignored });
      continue;
    }
    const storm =
      transition.run === 'leads'
        ? stormOf(request, knownCase, transition.effect, isRequestedAgain(request, knownCase), storms)
        : null;
    const answer = take(plan, inStorm(request, storm), knownCase, transition);
    if (storm !== null) plan.stormAlerts.push(storm);
    const { caseId, runId, joined } = answer;
    plan.results.push(answer);
    alerts.set(request.alertId, { alertId: request.alertId, caseId, runId, joined });
    if (request.idempotency !== null && again === undefined)
      addKey({ ...request.idempotency, alertId: request.alertId, caseId, runId, joined, ignored: null });
    if (recovery !== null) forget(plan, recoveries, recovery.fingerprint);
    const now = knownAfterAccept(knownCase, request, transition, plan.cases.get(caseId));
    byId.set(caseId, now);
    if (now.fingerprint !== null) cases.set(now.fingerprint, now);
  }
  const changed = new Set(plan.stormAlerts.map(({ stormId }) => stormId));
  plan.storms = [...changed].flatMap((id) => storms.get(id) ?? []);
  return plan;
}

type RepeatedResult = Extract<AcceptResult, { kind: 'repeated' }>;

function earlierAnswer(
  request: AcceptRequest,
  keys: Map<string, KnownKey>,
  alerts: Map<string, RecordedAlert>,
): RepeatedResult | Extract<AcceptResult, { kind: 'key-reused' | 'ignored' }> | null {
  const key = request.idempotency === null ? undefined : keys.get(request.idempotency.key);
  if (key !== undefined && key.bodyDigest !== request.idempotency?.bodyDigest) return { kind: 'key-reused' };
  const recorded = alerts.get(request.alertId);
  if (recorded === undefined && key !== undefined && key.ignored !== null)
    return { kind: 'ignored', why: key.ignored };
  const earlier = recorded ?? (key?.ignored === null ? key : undefined);
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

function transitionOf(
  request: AcceptRequest,
  knownCase: KnownCase | undefined,
  recovery: RememberedRecovery | null,
  providersOut: ReadonlySet<string>,
  disabled: DisabledRules,
): AlertTransition {
  const { fingerprint, occurrence = null } = request;
  const joined =
    knownCase === undefined
      ? null
      : { isAnswered: knownCase.isAnswered, occurrences: knownCase.occurrences ?? null };
  return alertTransition(
    joined,
    {
      occurrence,
      canJoin: fingerprint !== null,
      // The page of its storm is open at its receivers, so only an escalation or a new occurrence is judged.
      isDue:
        knownCase !== undefined &&
        knownCase.isStormMember !== true &&
        isDue(knownCase, request, providersOut),
      isRequested: isRequestedAgain(request, knownCase),
      recovery,
    },
    disabled,
  );
}

function isRequestedAgain({ again }: AcceptRequest, knownCase: KnownCase | undefined): boolean {
  if (knownCase === undefined) return false;
  return again === true || (again === 'key' && knownCase.status === 'decided');
}

// An alert that arrives in the same batch after its end is recorded as over too. A sender may repeat an end for hours.
// Only a newer end is remembered again, so that a repeated one does not extend the time in which a start is over.
function remember(
  plan: AcceptPlan,
  recoveries: Map<string, KnownAtIntake['recoveries'][number]>,
  { fingerprint, occurrence, receivedAt }: AcceptRequest,
): void {
  if (fingerprint === null) return;
  const startedAt = occurrence?.startedAt ?? null;
  const ms = startedAt === null ? null : Date.parse(startedAt);
  const known = recoveries.get(fingerprint);
  const isNewer = ms !== null && ms > (known?.startedAt ?? -Infinity);
  if (known !== undefined && known.agoMs <= RECOVERY_REMEMBERED_MS && !isNewer) return;
  forgetInPlan(plan, fingerprint);
  plan.recoveries.push({ fingerprint, startedAt });
  recoveries.set(fingerprint, { fingerprint, startedAt: ms, at: Date.parse(receivedAt), agoMs: 0 });
}

// A case has the alert now, so its next end is noted on the case.
function forget(
  plan: AcceptPlan,
  recoveries: Map<string, KnownAtIntake['recoveries'][number]>,
  fingerprint: string,
): void {
  recoveries.delete(fingerprint);
  forgetInPlan(plan, fingerprint);
  plan.joinedRecoveries.push(fingerprint);
}

function forgetInPlan(plan: AcceptPlan, fingerprint: string): void {
  plan.recoveries = plan.recoveries.filter((one) => one.fingerprint !== fingerprint);
}

function take(
  plan: AcceptPlan,
  sent: AcceptRequest,
  knownCase: KnownCase | undefined,
  { run, effect }: AlertTransition,
): AcceptedResult {
  const isEscalation = run !== 'none' && (effect?.rises.length ?? 0) > 0;
  const escalated = isEscalation ? { ...sent, settings: { ...sent.settings, isEscalation } } : sent;
  const request = run === 'none' ? sent : withEarlierVerdict(escalated, run, knownCase, effect);
  const leads = run === 'leads';
  const place: AlertPlace = {
    alertId: request.alertId,
    caseId: knownCase?.id ?? request.caseId,
    runId: leads || knownCase === undefined ? request.runId : knownCase.newestRunId,
    joined: knownCase !== undefined,
  };
  const { caseId } = place;
  noteCase(plan, request, knownCase, caseId, leads, effect);
  plan.alerts.push({ request, caseId });
  if (run !== 'none') plan.runs.push({ request, caseId });
  addEvents(plan, request, place, run, effect);
  const nudges = run === 'none' || request.holdMs !== undefined ? [] : [firstNudge(request)];
  const verdict = leads || knownCase === undefined ? null : earlierVerdict(knownCase);
  return { kind: 'accepted', ...place, nudges, ...(verdict === null ? {} : { verdictOf: verdict }) };
}

// The verdict of a proposal reaches no receiver. Its caller waits for no verdict, so no stage is claimed for it. Any
// other verdict is compared with the one that receivers have, unless it judges a new occurrence.
function withEarlierVerdict(
  request: AcceptRequest,
  run: AlertTransition['run'],
  knownCase: KnownCase | undefined,
  effect: OccurrenceEffect | null,
): AcceptRequest {
  if (run === 'proposes') {
    const { claimForMs: _, ...unclaimed } = request;
    const proposesTo = knownCase?.verdict?.runId;
    const proposal = proposesTo === undefined ? {} : { proposesTo };
    return { ...unclaimed, settings: { ...request.settings, outward: false, ...proposal } };
  }
  const earlier = knownCase?.verdict ?? null;
  // Receivers have the verdict of a person, if one answered, also after the answer was withdrawn.
  if (earlier === null || earlier.isCorrected || knownCase?.isAnswered === true || effect?.begins === true)
    return request;
  return { ...request, settings: { ...request.settings, comparedWithRun: earlier.runId } };
}

type AcceptedResult = Extract<AcceptResult, { kind: 'accepted' }>;
type AlertPlace = Pick<AcceptedResult, 'alertId' | 'caseId' | 'runId' | 'joined'>;

function knownAfterAccept(
  knownCase: KnownCase | undefined,
  { fingerprint, caseId: id, runId }: AcceptRequest,
  { run }: AlertTransition,
  change: CaseChange | undefined,
): KnownCase {
  const occurrences = change?.occurrences ?? knownCase?.occurrences ?? null;
  if (knownCase === undefined || run === 'leads') {
    const open = {
      status: 'open' as const,
      decidedAgoMs: null,
      newestRunId: runId,
      isAnswered: false,
      verdict: null,
    };
    return {
      id: knownCase?.id ?? id,
      fingerprint: knownCase?.fingerprint ?? fingerprint,
      ...open,
      occurrences,
    };
  }
  // The hold-off of a case that a person decided begins again with each proposal.
  const decidedAgoMs = run === 'proposes' ? 0 : knownCase.decidedAgoMs;
  return { ...knownCase, decidedAgoMs, status: change?.status ?? knownCase.status, occurrences };
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
  const after = effect === null ? null : opensRun ? { ...effect.after, isUnderWay: true } : effect.after;
  plan.cases.set(caseId, {
    id: caseId,
    isNew: before?.isNew ?? knownCase === undefined,
    playbook: request.alert.playbook,
    fingerprint: request.fingerprint,
    alerts: (before?.alerts ?? 0) + 1,
    text: effect?.keepsText === true ? (before?.text ?? null) : request.line,
    runId: opensRun ? request.runId : (before?.runId ?? null),
    lane: opensRun ? request.lane : (before?.lane ?? request.lane),
    dataset: request.dataset ?? null,
    occurrences: after ?? before?.occurrences ?? null,
    resolved: effect?.resolves ? true : effect?.fires ? false : (before?.resolved ?? null),
    joinedBy: request.joinedBy ?? null,
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

function addEvents(
  plan: AcceptPlan,
  request: AcceptRequest,
  { alertId, caseId, runId, joined }: AlertPlace,
  run: AlertTransition['run'],
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
  if (run !== 'none')
    plan.events.push({ type: 'run.created', caseId, runId: request.runId, data: runFacts(request) });
  const startedAt = request.occurrence?.startedAt ?? null;
  if (met?.resolves) plan.events.push({ type: 'alert.resolved', ...of, data: { alertId, startedAt } });
  if (met !== null && met.rises.length > 0) {
    const { severity, level, affected } = met.after.peak;
    const data = { alertId, rises: met.rises, severity, level, affected };
    plan.events.push({ type: 'case.escalated', ...of, data });
  }
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
