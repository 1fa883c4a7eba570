import type {
  AcceptRequest,
  AcceptResult,
  CaseStatus,
  EarlierVerdict,
  JsonObject,
  Lane,
  StageNudge,
} from '@casefile/contracts';
import { firstCharacters } from '../storable.js';

/** How much of an alert's text a case shows in lists, in characters. */
const SHOWN_CHARACTERS = 280;

/** What the record says already about the alerts that come in. */
export interface KnownCase {
  id: string;
  /** null: it joins no repeats, and was found by its idempotency key. */
  fingerprint: string | null;
  status: CaseStatus;
  /** How long ago its leading run was decided, in milliseconds. */
  decidedAgoMs: number | null;
  newestRunId: string;
  /** Of its leading run; null: it has none yet. */
  verdict: KnownVerdict | null;
}

interface KnownKey {
  key: string;
  bodyDigest: string;
  alertId: string;
  caseId: string;
  runId: string;
  joined: boolean;
}

export interface Known {
  keys: KnownKey[];
  /** Alerts that are on the record under the ids of the requests: the answer to them was lost. */
  alerts: Omit<KnownKey, 'key' | 'bodyDigest'>[];
  cases: KnownCase[];
  /** Providers that are not asked now: their circuits are open. */
  providersOut: string[];
}

/** What is to be written for the requests that bring something new. */
export interface AcceptPlan {
  results: AcceptResult[];
  cases: Map<string, CaseChange>;
  alerts: { request: AcceptRequest; caseId: string }[];
  runs: { request: AcceptRequest; caseId: string }[];
  keys: KnownKey[];
  events: { type: string; caseId: string; runId: string; data: JsonObject }[];
}

/** A case to be made (`isNew`), or what changes on one that is there. */
interface CaseChange {
  id: string;
  isNew: boolean;
  playbook: string;
  fingerprint: string | null;
  alerts: number;
  text: string;
  /** The run opened for it last; null: none was. */
  runId: string | null;
  lane: Lane;
  /** null: it is judged for its own sake. */
  dataset: string | null;
}

/**
 * Decides what becomes of alerts that come in together, in their order: each sees what those before it did.
 * The same rules for every store; the caller holds whatever lock makes `known` stay true.
 */
export function planAccept(requests: AcceptRequest[], known: Known): AcceptPlan {
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
    const found = again ?? (request.fingerprint === null ? undefined : cases.get(request.fingerprint));
    const answer = take(plan, request, found, providersOut);
    const { caseId, runId, joined } = answer;
    plan.results.push(answer);
    alerts.set(request.alertId, { alertId: request.alertId, caseId, runId, joined });
    if (request.idempotency !== null && again === undefined) {
      const key = { ...request.idempotency, alertId: request.alertId, caseId, runId, joined };
      keys.set(key.key, key);
      plan.keys.push(key);
    }
    if (answer.nudges.length > 0) {
      const { fingerprint } = request;
      const open = { status: 'open' as const, decidedAgoMs: null, newestRunId: runId, verdict: null };
      byId.set(caseId, { id: caseId, fingerprint, ...open });
      if (fingerprint !== null) cases.set(fingerprint, { id: caseId, fingerprint, ...open });
    }
  }
  return plan;
}

type Repeated = Extract<AcceptResult, { kind: 'repeated' }>;

function earlierAnswer(
  request: AcceptRequest,
  keys: Map<string, KnownKey>,
  alerts: Map<string, Known['alerts'][number]>,
): Repeated | { kind: 'key-reused' } | null {
  const key = request.idempotency === null ? undefined : keys.get(request.idempotency.key);
  if (key !== undefined && key.bodyDigest !== request.idempotency?.bodyDigest) return { kind: 'key-reused' };
  const earlier = alerts.get(request.alertId) ?? key;
  if (earlier === undefined) return null;
  const { alertId, caseId, runId, joined } = earlier;
  return { kind: 'repeated', alertId, caseId, runId, joined };
}

// The case that is asked for by its key. A request that comes again itself, its answer lost, asks for nothing more.
function caseOfKey(
  { again, alertId }: AcceptRequest,
  repeated: Repeated,
  alerts: ReadonlyMap<string, unknown>,
  byId: ReadonlyMap<string, KnownCase>,
): KnownCase | undefined {
  if (again !== 'key' || alerts.has(alertId)) return undefined;
  return byId.get(repeated.caseId);
}

function take(
  plan: AcceptPlan,
  request: AcceptRequest,
  found: KnownCase | undefined,
  providersOut: ReadonlySet<string>,
): Extract<AcceptResult, { kind: 'accepted' }> {
  const caseId = found?.id ?? request.caseId;
  const opensRun = found === undefined || isDue(found, request, providersOut);
  const runId = opensRun ? request.runId : found.newestRunId;
  const joined = found !== undefined;
  noteCase(plan, request, { caseId, isNew: !joined, opensRun });
  plan.alerts.push({ request, caseId });
  if (opensRun) plan.runs.push({ request, caseId });
  tell(plan, request, { caseId, runId, joined, opensRun });
  const nudges = opensRun ? [firstNudge(request)] : [];
  const verdict = opensRun ? null : earlierVerdict(found);
  const taken = { alertId: request.alertId, caseId, runId, joined, nudges };
  return { kind: 'accepted', ...taken, ...(verdict === null ? {} : { verdictOf: verdict }) };
}

/** Is the case to be judged again for this alert? */
function isDue(found: KnownCase, request: AcceptRequest, providersOut: ReadonlySet<string>): boolean {
  if (request.again === true) return true;
  const { status, decidedAgoMs, verdict } = found;
  if (status !== 'decided' || decidedAgoMs === null) return false;
  if (request.again === 'key' || decidedAgoMs > request.holdOffMs) return true;
  return verdict !== null && isJudgedAgain(verdict, decidedAgoMs, request, providersOut);
}

function earlierVerdict({ status, verdict }: KnownCase): EarlierVerdict | null {
  if (status !== 'decided' || verdict === null) return null;
  const { runId, decidedAt, degraded, degradedNote } = verdict;
  return { runId, decidedAt, degraded, degradedNote };
}

function noteCase(
  plan: AcceptPlan,
  request: AcceptRequest,
  { caseId, isNew, opensRun }: { caseId: string; isNew: boolean; opensRun: boolean },
): void {
  const before = plan.cases.get(caseId);
  plan.cases.set(caseId, {
    id: caseId,
    isNew: before?.isNew ?? isNew,
    playbook: request.alert.playbook,
    fingerprint: request.fingerprint,
    alerts: (before?.alerts ?? 0) + 1,
    text: firstCharacters(shownText(request.alert), SHOWN_CHARACTERS),
    runId: opensRun ? request.runId : (before?.runId ?? null),
    lane: opensRun ? request.lane : (before?.lane ?? request.lane),
    dataset: request.dataset ?? null,
  });
}

// An alert whose substance is its payload is known by the payload's own title.
function shownText({ text = '', payload }: AcceptRequest['alert']): string {
  const title = payload?.['title'];
  return text.trim() === '' && typeof title === 'string' ? title.trim() : text;
}

function tell(
  plan: AcceptPlan,
  request: AcceptRequest,
  { caseId, runId, joined, opensRun }: { caseId: string; runId: string; joined: boolean; opensRun: boolean },
): void {
  const { alertId, lane, alert } = request;
  const of = { caseId, runId };
  plan.events.push({ type: 'alert.accepted', ...of, data: { alertId, playbook: alert.playbook, joined } });
  if (!joined) plan.events.push({ type: 'case.created', ...of, data: { playbook: alert.playbook, lane } });
  if (opensRun) plan.events.push({ type: 'run.created', ...of, data: runFacts(request) });
}

/** What `run.created` says. */
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

/** The verdict of a case's leading run, as far as it says whether the next alert is judged again. */
interface KnownVerdict extends EarlierVerdict {
  /** Codes of `DEGRADED_BY`. */
  degradedBy: string[];
  method: string;
  /** Of its run's settings; `none`: no model was configured. */
  provider: string;
}

/**
 * How long a verdict still holds when what it lacked is not known to be there again (a look-up that failed, a model that
 * refuses): a storm of repeats asks once a minute and not with each alert.
 */
const LOOK_AGAIN_AFTER_MS = 60_000;

/** Causes that are gone as soon as a model can be asked again. */
const OF_THE_MODEL = new Set(['model_out', 'timeout', 'unreadable']);

/**
 * Does this verdict hold an alert of the same case off? A degraded one does not once its cause is gone: a model can be
 * asked, a budget may have room (only asking tells), or a minute is over for look-ups and all the rest. Nor does one
 * that rules made because no model was configured, once there is one. Where nothing could be read it does: the same
 * image reads no better. S1-17.
 * @param decidedAgoMs how long ago it was made, in milliseconds.
 * @param providersOut providers that are not asked now.
 */
function isJudgedAgain(
  verdict: KnownVerdict,
  decidedAgoMs: number,
  { settings }: Pick<AcceptRequest, 'settings'>,
  providersOut: ReadonlySet<string>,
): boolean {
  const providers = [settings.provider, ...(settings.fallbackProviders ?? [])];
  const canAsk = providers.some((name) => name !== 'none' && !providersOut.has(name));
  // Verdicts that are older than the codes called both degraded: no model, and one that failed.
  if (verdict.provider === 'none' && verdict.method === 'heuristic' && canAsk) return true;
  if (!verdict.degraded) return false;
  const causes = verdict.degradedBy.length > 0 ? verdict.degradedBy : ['model_out'];
  return causes.some((cause) => {
    if (cause === 'no_text') return false;
    if (OF_THE_MODEL.has(cause)) return canAsk;
    return cause === 'budget' || decidedAgoMs > LOOK_AGAIN_AFTER_MS;
  });
}
