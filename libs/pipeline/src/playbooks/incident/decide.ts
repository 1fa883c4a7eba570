import {
  CasefileError,
  degradationOf,
  degradedCauseOf,
  reasonInWords,
  reasonOf,
  type DegradedCause,
  type Draft,
  type IncidentAction,
  type IncidentResult,
  type JsonObject,
  type Review,
  type RunSettings,
  withoutRemovedClaims,
} from '@casefile/contracts';
import type { DecisionRule } from '../../playbook.js';
import { isUnanswered, NOT_CROSS_EXAMINED } from '../../parts/cross-examining.js';
import type { WriteInput } from '../../stage-parts.js';
import type { Incident } from './alert.js';
import { doubtsAbout } from './false-alarm.js';
import { isExamined, options, type IncidentOptions } from './options.js';
import { isKnownImpact, provenResult, reportedIn } from './proven.js';
import { citationsIn, readsOf, resultIn } from './result.js';
import { incidentIn } from './runbook.js';

/** Disposition that follows from each action. */
export const DISPOSITION = { page: 'act', ticket: 'review', 'no-action': 'dismiss' } as const;

/** Decision on an incident, and the step of the rule that made it. */
export interface IncidentDecision {
  action: IncidentAction;
  /** Reason for people. */
  because: string;
  /** The step of the rule. */
  by: 'state' | 'needed-look-up' | 'resolved' | 'false-alarm' | 'severity' | 'harm' | 'neither';
}

/** Inputs of the decision besides the result. */
export interface Circumstances {
  incident: Pick<Incident, 'name' | 'state'>;
  /** Whether the sender reports the alert as over. */
  resolved: boolean;
  options: Pick<IncidentOptions, 'pageFrom' | 'alwaysFiring'>;
  /**
   * Reasons why a false alarm reported by a model closes nothing, as sentences; none: it closes the alert.
   */
  doubts?: readonly string[];
}

/**
 * Applies the first step that fits. A test, or an alert that always fires by design: nothing to do. A needed
 * query failed: page if critical, else ticket. The sender resolved it, or the evidence shows a false alarm
 * without doubt: nothing to do (with a doubt: ticket). A rule that could not be evaluated: ticket. Critical,
 * or sure enough of harm now: page. Else ticket. If a query failed, or no model judged, only the sender can
 * report that nothing is wrong.
 */
export function decided(
  result: IncidentResult,
  { confidence, method }: Pick<Draft, 'confidence' | 'method'>,
  { incident: { name, state }, resolved, options: { pageFrom, alwaysFiring }, doubts = [] }: Circumstances,
): IncidentDecision {
  if (state === 'test') return { action: 'no-action', because: 'It is a test message.', by: 'state' };
  if (alwaysFiring.includes(name))
    return {
      action: 'no-action',
      because: `${name} always fires by design, to show that alerting works.`,
      by: 'state',
    };
  const { severity, requiredFailed, falseAlarm, gaps, impact } = result;
  const critical = severity === 'critical';
  if (requiredFailed.length > 0 && !resolved)
    return {
      action: critical ? 'page' : 'ticket',
      because: `A look-up that was needed gave no answer (${requiredFailed.join(', ')}), and the alert is ${critical ? '' : 'not '}critical.`,
      by: 'needed-look-up',
    };
  if (resolved) return { action: 'no-action', because: 'Its sender says that it is over.', by: 'resolved' };
  if (falseAlarm !== null && gaps.length === 0 && method !== 'heuristic') {
    const [doubt] = doubts;
    return doubt === undefined
      ? {
          action: 'no-action',
          because: 'What was looked up shows that nothing is wrong.',
          by: 'false-alarm',
        }
      : { action: 'ticket', because: doubt, by: 'false-alarm' };
  }
  if (state === 'no-data')
    return {
      action: 'ticket',
      because: 'The rule could not be evaluated: it is not known whether anything is wrong.',
      by: 'state',
    };
  if (critical) return { action: 'page', because: 'The alert is critical.', by: 'severity' };
  if (method !== 'heuristic' && impact.now && confidence >= pageFrom)
    return {
      action: 'page',
      because: 'There is harm at this time, and the cause is clear enough.',
      by: 'harm',
    };
  const why = impact.now
    ? 'the cause is not clear enough to wake somebody'
    : 'no look-up shows harm at this time';
  return { action: 'ticket', because: `The alert is not critical, and ${why}.`, by: 'neither' };
}

/** Decision on a unit, and its basis. */
export interface IncidentConclusion extends IncidentDecision {
  /** `because` without the preceding impact. */
  why: string;
  /** The result without the claims that its cross-examination removed. */
  result: IncidentResult;
  confidence: number;
  /** Further doubts about a false alarm, in addition to `because`. */
  doubts: string[];
  /** Whether the sender reports the alert as over. */
  resolved: boolean;
  circumstances: Circumstances;
}

/**
 * Decides on the claims that the cross-examination left.
 * @param countsEnd Whether an end reported during the run counts. Reports of the first version left it out.
 */
export function concluded(
  { draft, brief, evidence, review }: Omit<WriteInput, 'unit'>,
  settings: Pick<RunSettings, 'options' | 'playbookVersion'>,
  countsEnd = true,
): IncidentConclusion {
  const claimed = resultIn(draft);
  const incident = incidentIn(brief);
  const figures = options.read(settings.options);
  const resolved = incident.resolved || (countsEnd && claimed.resolvedAt !== null);
  const examined = isExamined(settings);
  const reads = examined ? readsOf(evidence, draft) : [];
  const left = withoutRemovedClaims(claimed, review.crossExamination);
  const result = examined
    ? provenResult(left, {
        incident,
        alert: brief.text,
        evidence,
        reads,
        resolved,
        claimed: claimed.hypotheses,
        byRules: draft.method === 'heuristic',
      })
    : left;
  const doubts = examined ? doubtsAbout({ incident, result, reads, review, options: figures }) : [];
  const confidence = examined ? confidenceIn(draft, claimed, result, figures) : draft.confidence;
  const circumstances = { incident, resolved, options: figures, doubts };
  const made = decided(result, { confidence, method: draft.method }, circumstances);
  return {
    ...made,
    because: examined ? withImpact(made, result, incident) : made.because,
    why: made.because,
    result,
    confidence,
    doubts: made.by === 'false-alarm' ? doubts.slice(1) : [],
    resolved,
    circumstances,
  };
}

/** Steps of the rule that do not state what is broken, so the impact precedes them. */
const SAYS_NO_IMPACT: readonly IncidentDecision['by'][] = ['needed-look-up', 'severity', 'harm', 'neither'];

function withImpact(
  { by, because }: IncidentDecision,
  { impact }: IncidentResult,
  incident: Incident,
): string {
  if (!SAYS_NO_IMPACT.includes(by)) return because;
  const what = isKnownImpact(impact) ? impact.what : reportedIn(incident);
  return `${/[.!?]$/.test(what) ? what : `${what}.`} ${because}`;
}

/** Highest confidence of a model if none of its claims stands. */
const NOTHING_STANDS = 0.3;

/**
 * Confidence of the remaining claims: limited by the share of valid citations, and by the limit for one query
 * of one tool.
 */
function confidenceIn(
  { confidence, method }: Draft,
  claimed: IncidentResult,
  result: IncidentResult,
  { oneLookUpConfidence }: IncidentOptions,
): number {
  if (method === 'heuristic') return confidence;
  const before = citationsIn(claimed).length;
  const share = before === 0 ? 1 : citationsIn(result).length / before;
  const left = Math.min(confidence, share);
  const [first] = result.hypotheses;
  if (first === undefined) return result.falseAlarm === null ? Math.min(left, NOTHING_STANDS) : left;
  const restsOnOne = new Set(first.citations.map(({ id }) => id)).size === 1;
  return restsOnOne ? Math.min(left, oneLookUpConfidence) : left;
}

/** Makes the verdict from the results. */
export const pageTicketOrNothing: DecisionRule = {
  name: 'page-ticket-or-nothing',
  decide(units, settings, decidedAt) {
    const [unit] = units;
    if (unit === undefined)
      throw new CasefileError('no_units', 'there is nothing to decide on: the run has no unit');
    const { draft, review } = unit;
    const { action, because, result, confidence, doubts, resolved, circumstances } = concluded(
      unit,
      settings,
    );
    const isSettled = resolved || circumstances.incident.state === 'test' || isAlwaysFiring(circumstances);
    const cited = new Set(citationsIn(result).map(({ id }) => id));
    const degradation = degradationOf(causesOf(draft, result), {
      tried: result.lookUps.length,
      failed: result.lookUps.filter(({ gap }) => gap !== null).length,
    });
    return {
      outcome: outcomeOf(result, action, review),
      // A degraded result is reviewed, unless a person is paged anyway. An alert that its sender resolved is
      // closed.
      disposition: degradation.degraded && action !== 'page' && !isSettled ? 'review' : DISPOSITION[action],
      confidence,
      confidenceSource: draft.confidenceSource,
      method: draft.method,
      reasons: [because, ...doubts, ...notExamined(review), ...reasonsOf(result, draft)],
      citations: draft.evidenceUsed.filter((id) => cited.has(id)),
      ...degradation,
      decidedAt,
    };
  },
};

function isAlwaysFiring({ incident, options: { alwaysFiring } }: Circumstances): boolean {
  return alwaysFiring.includes(incident.name);
}

/** Reason that a verdict rests on claims without cross-examination, because there was no answer. */
function notExamined(review: Review): string[] {
  return isUnanswered(review)
    ? review.findings.filter(({ code }) => code === NOT_CROSS_EXAMINED).map(({ message }) => message)
    : [];
}

function outcomeOf(result: IncidentResult, action: IncidentAction, { crossExamination }: Review): JsonObject {
  const { name, severity, summary, hypotheses, ruledOut, steps, impact, gaps, runbook } = result;
  const { unproven, timeline } = result;
  return {
    action,
    name,
    severity,
    summary,
    hypotheses,
    ruledOut,
    actions: steps,
    impact,
    gaps,
    runbook,
    ...(unproven === undefined ? {} : { unproven }),
    ...(timeline === undefined ? {} : { timeline }),
    ...(crossExamination === undefined ? {} : { crossExamination }),
  } as unknown as JsonObject;
}

function reasonsOf({ hypotheses, dropped, gaps, endedBy }: IncidentResult, draft: Draft): string[] {
  return [
    ...hypotheses
      .slice(0, 3)
      .map(
        ({ cause, probability, citations }) =>
          `${Math.round(probability * 100)} %: ${cause} [${citations.map(({ id }) => id).join(', ')}]`,
      ),
    ...(hypotheses.length === 0 && draft.method !== 'heuristic'
      ? ['No cause is borne out by what was read.']
      : []),
    ...(dropped.length > 0
      ? [`Left out, for nothing that was read bears it out: ${dropped.join('; ')}`]
      : []),
    ...gaps,
    ...(endedBy === null ? [] : [`The look-ups ended early: ${reasonInWords(endedBy)}.`]),
  ];
}

function causesOf(draft: Draft, { gaps, lookUps, endedBy }: IncidentResult): (DegradedCause | null)[] {
  return [
    draft.fallbackReason === undefined ? null : degradedCauseOf(draft.fallbackReason),
    endedBy === null ? null : (reasonOf(endedBy).degradedBy ?? null),
    gaps.length > 0 && lookUps.some(({ gap }) => gap !== null) ? 'lookups_failed' : null,
  ];
}
