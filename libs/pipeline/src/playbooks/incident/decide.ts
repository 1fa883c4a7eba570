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

const DISPOSITION = { page: 'act', ticket: 'review', 'no-action': 'dismiss' } as const;

/** What an incident comes to, and by which step of the rule. */
export interface Decided {
  action: IncidentAction;
  /** For people. */
  because: string;
  /** The step of the rule. */
  by: 'state' | 'needed-look-up' | 'resolved' | 'false-alarm' | 'severity' | 'harm' | 'neither';
}

/** What the decision needs besides the result. */
export interface Circumstances {
  incident: Pick<Incident, 'name' | 'state'>;
  /** Does the sender report that it is over? */
  resolved: boolean;
  options: Pick<IncidentOptions, 'pageFrom' | 'alwaysFiring'>;
  /** Why a false alarm that a model reports closes nothing, a sentence each; none: it closes the alert. */
  doubts?: readonly string[];
}

/**
 * The first that fits: a test, or an alert that always fires by design: nothing to do; a look-up that was needed failed
 * (critical: page, else ticket); the sender resolved it, or what was read shows that nothing is wrong and there is no doubt about
 * that: nothing to do (with a doubt: ticket); a rule that could not be evaluated: ticket; critical, or sure enough with harm at this time: page; else ticket. If anything could
 * not be looked up, or no model judged, only the sender can report that nothing is wrong.
 */
export function decided(
  result: IncidentResult,
  { confidence, method }: Pick<Draft, 'confidence' | 'method'>,
  { incident: { name, state }, resolved, options: { pageFrom, alwaysFiring }, doubts = [] }: Circumstances,
): Decided {
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

/** What is decided on a unit, and from what. */
export interface Concluded extends Decided {
  /** `because` without the impact before it. */
  why: string;
  /** The result without the claims that its cross-examination removed. */
  result: IncidentResult;
  confidence: number;
  /** More of what speaks against a false alarm, next to `because`. */
  doubts: string[];
  /** Does the sender report that it is over? */
  resolved: boolean;
  circumstances: Circumstances;
}

/**
 * Decides on what the cross-examination left of a result. T-02, T-03.
 * @param countsEnd Does an end count that the sender reported during the run? Reports of the first version left it out.
 */
export function concluded(
  { draft, brief, evidence, review }: Omit<WriteInput, 'unit'>,
  settings: Pick<RunSettings, 'options' | 'playbookVersion'>,
  countsEnd = true,
): Concluded {
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

/** Steps of the rule that say nothing of what is broken: the impact stands before them. T-04. */
const SAYS_NO_IMPACT: readonly Decided['by'][] = ['needed-look-up', 'severity', 'harm', 'neither'];

function withImpact({ by, because }: Decided, { impact }: IncidentResult, incident: Incident): string {
  if (!SAYS_NO_IMPACT.includes(by)) return because;
  const what = isKnownImpact(impact) ? impact.what : reportedIn(incident);
  return `${/[.!?]$/.test(what) ? what : `${what}.`} ${because}`;
}

/** Without any claim that stands, a model is hardly sure. */
const NOTHING_STANDS = 0.3;

/** The confidence of what is left: no higher than its share of the citations, nor than one look-up of one tool allows. */
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

/** How results become the verdict. */
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
      // S2-44: what did not go as it was meant to is looked at, unless somebody is woken anyway. What its sender took back is over.
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

/** That a verdict rests on claims that were not cross-examined, because there was no answer. */
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
