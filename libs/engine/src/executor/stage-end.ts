import {
  ARTIFACTS,
  CasefileError,
  type ClaimedWork,
  type Ids,
  type JsonObject,
  type Move,
  type Outcome,
  type Verdict,
  type ArtifactName,
  asCasefileError,
  jsonProblem,
  moveOfWait,
  moves,
  reasonOf,
  type Attributes,
  type Draft,
  type Review,
  type RunSettings,
  type Telemetry,
} from '@casefile/contracts';
import { handOn, type Stage, type Playbook, type Presenting } from '@casefile/pipeline';
import { ATTRIBUTES, emitEvaluation, METRICS } from '@casefile/telemetry';

/** Result of a stage: the move to commit, and the verdict if the stage made one. */
export interface Ending {
  move: Move;
  verdict: Verdict | null;
}

/** Most characters of one artifact. An alert has at most 1,000,000 in its text, and its evidence 500 items. */
const MAX_ARTIFACT_CHARACTERS = 20_000_000;

/** Lanes whose verdicts are delivered. */
const OUTWARD: readonly string[] = ['live', 'batch'];

/**
 * Turns a stage's outcome into the move to commit, and checks the format of the appended artifacts.
 * @throws CasefileError `bad_artifact`.
 */
export function toEnding(
  at: { flow: readonly Stage[]; ids: Ids },
  stage: Stage,
  work: ClaimedWork,
  outcome: Outcome<unknown>,
): Ending {
  const { lease } = work;
  switch (outcome.kind) {
    case 'wait': {
      const calls = outcome.calls.map((call) => ({ ...call, id: at.ids.id() }));
      return { move: moves.suspendUnit(lease, { ...outcome, calls }), verdict: null };
    }
    case 'later':
      return { move: moveOfWait(lease, outcome), verdict: null };
    case 'stop':
      return { move: moves.stopRun(lease, outcome), verdict: null };
    default: {
      const body = ARTIFACTS[stage.appends].safeParse(outcome.artifact);
      if (!body.success)
        throw new CasefileError('bad_artifact', `its ${stage.appends} is wrong: ${body.error.message}`);
      const problem = jsonProblem(body.data, MAX_ARTIFACT_CHARACTERS);
      if (problem !== null)
        throw new CasefileError('bad_artifact', `its ${stage.appends} is wrong: ${problem}`);
      const artifact = { name: stage.appends, body: body.data as unknown as JsonObject };
      const place = { unit: lease.unit, round: lease.round, maxRounds: work.settings.maxRounds };
      const onward = handOn(at.flow, stage, place, outcome);
      if (onward !== null) return { move: moves.advanceUnit(lease, { artifact, ...onward }), verdict: null };
      const deliveryId = deliveryIdFor(at, work);
      const effects = deliveryId === null || outcome.kind !== 'done' ? [] : (outcome.effects ?? []);
      const move = moves.decideRun(lease, { artifact, deliveryId, effects });
      return { move, verdict: body.data as Verdict };
    }
  }
}

// Verdicts of other lanes, of proposals and of measurements are not delivered.
function deliveryIdFor({ ids }: { ids: Ids }, { lane, settings }: ClaimedWork): string | null {
  return OUTWARD.includes(lane) && settings.outward !== false ? ids.id() : null;
}

/** Returns the end of a run that takes the verdict of another case, or the move that postpones it. */
export function endingOfTaken(
  at: { ids: Ids },
  work: ClaimedWork,
  taken: Verdict | { waitMs: number },
): Ending {
  const { lease } = work;
  if ('waitMs' in taken) {
    const postponed = { delayMs: taken.waitMs, reasonCode: 'storm_undecided' };
    return { move: moves.postponeStep(lease, postponed), verdict: null };
  }
  const artifact = { name: 'verdict', body: taken as unknown as JsonObject } as const;
  const deliveryId = deliveryIdFor(at, work);
  return { move: moves.decideRun(lease, { artifact, deliveryId }), verdict: taken };
}

/** Returns what a stage threw. If the fault is in its code, the message names the kind of case and the stage. */
export function namedFault(thrown: unknown, { settings, lease }: ClaimedWork): unknown {
  const { reasonCode, message, retryable, retryAfterMs, details } = asCasefileError(thrown);
  if (reasonOf(reasonCode).of !== 'program') return thrown;
  const named = `kind ${settings.playbook}, stage ${lease.stage}: ${message}`;
  const facts = { retryable, details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return new CasefileError(reasonCode, named, { ...facts, cause: thrown });
}

/** Artifacts that carry remarks. */
const WITH_REMARKS: readonly ArtifactName[] = ['draft', 'review'];

/**
 * Returns the outcome with the journal's remarks on its artifacts. The verdict then states that it is
 * degraded, and why.
 */
export function withRemarks(
  appends: ArtifactName,
  outcome: Outcome<unknown>,
  remarks: ReadonlySet<string>,
): Outcome<unknown> {
  if (!('artifact' in outcome) || remarks.size === 0 || !WITH_REMARKS.includes(appends)) return outcome;
  const artifact = outcome.artifact as { remarks?: string[] };
  return {
    ...outcome,
    artifact: { ...artifact, remarks: [...new Set([...(artifact.remarks ?? []), ...remarks])] },
  };
}

/** Returns the log fields that every verdict has, in the words of its kind of case. */
export function verdictFacts(verdict: Verdict, { word, answer }: Pick<Presenting, 'word' | 'answer'>) {
  const { outcome, disposition, confidence, method, degradedBy, degradedNote } = verdict;
  const words = { outcome: word(verdict), answer: answer(outcome) };
  return { disposition, ...words, confidence, method, degradedBy, degradedNote };
}

/** Returns the attributes of a stage's span. */
export function workAttributes({ lease, caseId, lane, settings }: ClaimedWork): Attributes {
  return {
    [ATTRIBUTES.stage]: lease.stage,
    [ATTRIBUTES.runId]: lease.runId,
    [ATTRIBUTES.caseId]: caseId,
    [ATTRIBUTES.round]: lease.round,
    [ATTRIBUTES.lane]: lane,
    [ATTRIBUTES.playbook]: settings.playbook,
  };
}

/** Reports a draft, a review or a verdict that a stage appended, unless its run reuses the answer of another run. */
export function measureAppended(
  telemetry: Telemetry,
  { artifacts, settings }: Pick<ClaimedWork, 'artifacts' | 'settings'>,
  playbook: Pick<Playbook, 'strategies'>,
  { artifact }: Move,
): void {
  if (artifact === undefined || artifacts.evidence?.['reused'] !== undefined) return;
  const { name, body } = artifact;
  if (name === 'draft') measureDraft(telemetry, settings, playbook, body);
  if (name === 'review') measureReview(telemetry, settings, body);
  if (name === 'verdict') emitVerification(artifacts.draft, body);
}

/**
 * Emits the share of the draft's cited evidence that the verdict keeps as verified. A draft without citations
 * is not evaluated.
 */
export function emitVerification(draft: JsonObject | undefined, verdict: JsonObject): void {
  if (draft === undefined) return;
  const { evidenceUsed } = draft as unknown as Draft;
  const { citations } = verdict as unknown as Verdict;
  const cited = new Set(evidenceUsed);
  if (cited.size === 0) return;
  const share = citations.filter((id) => cited.has(id)).length / cited.size;
  const label = share === 1 ? 'verified' : share === 0 ? 'not_verified' : 'partly_verified';
  emitEvaluation({ name: 'verification', label, score: share });
}

/**
 * Reports a draft when its stage has ended: its confidence, whether it fell back and why, the number of
 * unreadable answers, and the measures of its kind of case.
 */
export function measureDraft(
  telemetry: Telemetry,
  settings: RunSettings,
  playbook: Pick<Playbook, 'strategies'>,
  body: JsonObject,
): void {
  // Checked against its schema when its stage ended.
  const draft = body as unknown as Draft;
  const labels = {
    playbook: settings.playbook,
    provider: settings.provider,
    prompt_id: draft.promptId ?? onlyPrompt(settings),
  };
  telemetry.count(METRICS.drafts, { ...labels, method: draft.method });
  telemetry.measure(METRICS.draftConfidence, draft.confidence, { ...labels, method: draft.method });
  if (draft.fallbackReason !== undefined)
    telemetry.count(METRICS.draftFallbacks, { ...labels, reason: draft.fallbackReason });
  const unreadable = unreadableAnswers(draft);
  if (unreadable > 0) telemetry.count(METRICS.unreadableAnswers, labels, unreadable);
  for (const { name, kind, value, labels: own } of playbook.strategies[settings.strategy]?.measures?.(
    draft,
  ) ?? [])
    if (kind === 'counter') telemetry.count(name, own, value);
    else telemetry.measure(name, value, own);
}

/** Counts a ruling on a draft, by the draft's prompt. The shares reveal a critic that approves everything. */
export function measureReview(telemetry: Telemetry, { playbook }: RunSettings, body: JsonObject): void {
  const { ruling, reviewer, promptId = 'none' } = body as unknown as Review;
  telemetry.count(METRICS.reviews, { playbook, reviewer, ruling, prompt_id: promptId });
  emitEvaluation({ name: 'review', label: ruling });
}

// A draft made by rules names no prompt. It is counted under the prompt of the model that it replaces.
function onlyPrompt({ promptIds }: RunSettings): string {
  const [only, ...others] = Object.values(promptIds);
  return only !== undefined && others.length === 0 ? only : 'none';
}

/** Reasons for an unusable answer: it did not have the required format in any attempt, or in the final turn. */
const UNREADABLE = new Set(['invalid_answer', 'invalid_schema']);

function unreadableAnswers({ unreadable, fallbackReason }: Draft): number {
  return unreadable ?? (UNREADABLE.has(fallbackReason ?? '') ? 1 : 0);
}
