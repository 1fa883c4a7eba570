import type { Evidence, Hypothesis, IncidentResult, IncidentStep, Unproven } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import type { Incident } from './alert.js';
import { alarmsIn, type Alarm } from './contradictions.js';
import { stepHazard, withHazard } from './hazards.js';
import { showsStateNow, type Read } from './look-ups.js';
import { checkSentences, type Ground } from './prose-check.js';
import { runbookIn, stepsLeft, type Runbook } from './runbook.js';
import type { AlertState, TextState } from './sent/state.js';
import { incidentResultTimeline } from './timeline.js';
import { titling } from './tool-titles.js';

/** Sources of the prose of an incident. */
export interface ProseSources {
  incident: Incident;
  /** The alert as it is shown. */
  alert: string;
  evidence: Evidence;
  reads: readonly Read[];
  /** Whether the sender reports the alert as resolved. */
  resolved: boolean;
  /** The causes as the model named them, before its cross-examination. */
  claimed: readonly Hypothesis[];
  /** Causes of the model that nothing confirms. Default: none. */
  unconfirmed?: readonly Unproven[];
  /** Whether rules judged. */
  byRules: boolean;
}

const NOT_KNOWN = 'not known';
/** Alarms of look-ups that stand among the first sentences. */
const ALARMS_SHOWN = 2;

/**
 * Returns the result as shown to people. Summary, impact and actions of a model are kept only if the cause
 * that the model called likeliest is proven. Of these, only sentences with ids and figures on the record are
 * kept. Otherwise the texts are made from the alert, the look-ups and the runbook, and the model's texts are
 * listed as unproven.
 */
export function provenResult(result: IncidentResult, told: ProseSources): IncidentResult {
  const { evidence, reads, byRules, unconfirmed = [] } = told;
  const runbook = runbookIn(evidence);
  const titled = titling(evidence);
  const ofRules = {
    summary: incidentResultSummary(result, told),
    impact: provenImpact(told),
    steps: runbookSteps(runbook, reads),
  };
  const made = byRules
    ? { ...ofRules, unproven: [] }
    : leadStands(result, told)
      ? checkedResult(result, ofRules, resultGround(result, told, runbook))
      : { ...ofRules, unproven: incidentResultUnproven(result) };
  return {
    ...result,
    ...made,
    unproven: [...unconfirmed, ...made.unproven],
    steps: made.steps.map((step) => withHazard({ ...step, what: titled(step.what) })),
    gaps: result.gaps.map(titled),
    requiredFailed: result.requiredFailed.map(titled),
    timeline: incidentResultTimeline(result, told),
  };
}

/**
 * Returns the words of look-ups that show most clearly that something is wrong, the weightiest first, each
 * only one time.
 */
export function readAlarms(reads: readonly Read[], startsAt: string | null): Alarm[] {
  const alarms = reads
    .filter((read) => read.gap === null && showsStateNow(read))
    .flatMap((read) => alarmsIn(read, startsAt));
  const worst = alarms.toSorted((a, b) => b.weight - a.weight);
  return worst
    .filter(({ words }, i) => worst.findIndex((one) => one.words === words) === i)
    .slice(0, ALARMS_SHOWN);
}

/** Returns the problem in the words of the alert. */
export function reportedIn({ annotations, summary, name }: Incident): string {
  const said = [annotations['summary'], annotations['description'], annotations['message'], summary];
  return inLine(said.find((text) => text !== undefined && text.trim() !== '') ?? name, 300);
}

/** Returns whether the cause that the model called likeliest is proven. */
function leadStands(
  { hypotheses: [first], likeliestDropped }: IncidentResult,
  { claimed }: ProseSources,
): boolean {
  return first !== undefined && likeliestDropped !== true && first.cause === claimed[0]?.cause;
}

type Prose = Pick<IncidentResult, 'summary' | 'impact' | 'steps'>;

function resultGround(
  { hypotheses }: IncidentResult,
  { reads, alert }: ProseSources,
  runbook: Runbook | null,
): Ground {
  return {
    reads,
    known: [alert, runbook?.text ?? ''],
    ofCauses: hypotheses.flatMap(({ citations }) => citations.map(({ id }) => id)),
    runbookId: runbook?.used.id ?? null,
  };
}

function checkedResult(
  result: IncidentResult,
  instead: Prose,
  ground: Ground,
): Prose & { unproven: Unproven[] } {
  const unproven: Unproven[] = [];
  const kept = (of: Unproven['of'], text: string): string => {
    const sentences = checkSentences(text, ground);
    for (const sentence of sentences)
      if (sentence.why !== null) unproven.push({ of, text: sentence.text, why: sentence.why });
    return sentences.flatMap(({ text: one, why }) => (why === null ? [one] : [])).join(' ');
  };
  const summary = kept('summary', result.summary);
  const what = kept('impact', result.impact.what);
  // A step is kept or removed as a whole, because a part of an instruction could be dangerous.
  const steps = result.steps.filter(({ what: step }) => {
    const wrong = checkSentences(step, ground).find(({ why }) => why !== null);
    if (wrong !== undefined) unproven.push(unprovenStep(step, wrong.why ?? ''));
    return wrong === undefined;
  });
  return {
    summary: summary === '' ? instead.summary : summary,
    impact: what === '' ? { ...instead.impact, now: result.impact.now } : { ...result.impact, what },
    steps: steps.length === 0 ? instead.steps : steps,
    unproven,
  };
}

function incidentResultUnproven({ summary, impact, steps }: IncidentResult): Unproven[] {
  const why = 'no proven cause supports it';
  return [
    { of: 'summary' as const, text: inLine(summary, 2_000), why },
    { of: 'impact' as const, text: inLine(impact.what, 500), why },
    ...steps.map(({ what }) => unprovenStep(what, why)),
  ].filter(({ text }) => text !== '');
}

function unprovenStep(step: string, why: string): Unproven {
  const hazard = stepHazard(step);
  const both = hazard === null ? why : `${why}; it ${hazard}`;
  return { of: 'action', text: inLine(step, 2_000), why: both };
}

const STATES: Record<AlertState, string> = {
  firing: 'still firing',
  resolved: 'its sender reports that it is over',
  test: 'a test message',
  'no-data': 'its rule could not be evaluated',
  remark: 'an act of a person',
};

const TEXT_STATES: Record<TextState, string> = {
  resolved: 'perhaps over, by words of its text alone',
  test: 'perhaps a test, by words of its text alone',
};

/** The state of an alert in words. */
export const stateInWords = (
  { state, textState }: Pick<Incident, 'state' | 'textState'>,
  resolved: boolean,
): string =>
  !resolved && textState !== null ? TEXT_STATES[textState] : STATES[resolved ? 'resolved' : state];

function incidentResultSummary(
  { hypotheses: [first] }: IncidentResult,
  { incident, reads, resolved, byRules }: ProseSources,
): string {
  const { name, severity, startsAt } = incident;
  const reported = reportedIn(incident);
  const how = `${severity === 'unknown' ? 'severity unknown' : severity}, ${stateInWords(incident, resolved)}`;
  const cause =
    first === undefined
      ? byRules
        ? 'No model looked for a cause.'
        : 'The cause is not known.'
      : `Likely cause (${Math.round(first.probability * 100)} of 100): ${inLine(first.cause)} [${first.citations.map(({ id }) => id).join(', ')}].`;
  return [
    `${inLine(name, 120)} (${how})${reported === name ? '' : `: ${reported}`}`.replace(/[^.!?]$/, '$&.'),
    ...readAlarms(reads, startsAt).map(({ id, words }) => `Looked up: “${words}” [${id}].`),
    cause,
  ].join(' ');
}

/** There is harm at this time if a firing alert is critical or its look-ups show that something is wrong. */
function provenImpact({ incident, resolved, reads }: ProseSources): IncidentResult['impact'] {
  const { annotations, severity, state, startsAt } = incident;
  const isFiring = state === 'firing' && !resolved;
  return {
    now: isFiring && (severity === 'critical' || readAlarms(reads, startsAt).length > 0),
    what: inLine(annotations['impact'] ?? NOT_KNOWN, 500),
  };
}

/** Returns whether anything is known of the impact. */
export const isKnownImpact = ({ what }: IncidentResult['impact']): boolean => what !== NOT_KNOWN;

// Steps of a runbook are for people, who can judge their risk.
function runbookSteps(runbook: Runbook | null, reads: readonly Read[]): IncidentStep[] {
  const steps = runbook === null ? [] : stepsLeft(runbook.text, reads);
  return steps.map((what) => ({ what, risk: 'medium', reversible: false, ofRunbook: true }));
}
