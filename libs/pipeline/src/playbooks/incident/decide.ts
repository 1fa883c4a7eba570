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

/** Action on an incident, its reason, and the step of the decision rule that led to it. */
export interface IncidentDecision {
  action: IncidentAction;
  /** Reason, as a sentence that the verdict shows. */
  because: string;
  /** Step of the decision rule, see `decideIncident`. */
  by: 'state' | 'needed-look-up' | 'resolved' | 'false-alarm' | 'severity' | 'harm' | 'neither';
}

/** Inputs of the decision besides the result. */
export interface Circumstances {
  incident: Pick<Incident, 'name' | 'state'>;
  /** Whether the sender reports the alert as resolved. */
  resolved: boolean;
  options: Pick<IncidentOptions, 'pageFrom' | 'alwaysFiring'>;
  /**
   * Reasons against closing the alert as a model's false alarm, as sentences. Default: none, so a false alarm
   * closes the alert.
   */
  doubts?: readonly string[];
}

/**
 * Returns the action of the first step that applies:
 * 1. Test message, or an alert that always fires by design: no-action.
 * 2. A required look-up failed, and the sender has not resolved the alert: page if critical, else ticket.
 * 3. The sender resolved the alert: no-action.
 * 4. A model reports a false alarm, and no look-up failed: no-action; ticket if there is a doubt.
 * 5. The rule of the alert could not be evaluated: ticket.
 * 6. Critical: page.
 * 7. A model judged, there is harm now, and its confidence is at least `pageFrom`: page.
 * 8. Otherwise: ticket.
 */
export function decideIncident(
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

/** Decision on a unit, with the values that led to it. */
export interface IncidentConclusion extends IncidentDecision {
  /** Reason of the step alone. `because` may begin with the impact. */
  why: string;
  /** The result without the claims that its cross-examination removed. */
  result: IncidentResult;
  confidence: number;
  /** Further doubts about a false alarm, in addition to `because`. */
  doubts: string[];
  /** Whether the sender reports the alert as resolved. */
  resolved: boolean;
  circumstances: Circumstances;
}

/**
 * Decides on the claims that the cross-examination did not remove.
 * @param countsEnd whether an end that the sender reports during the run counts. Reports of the first
 * playbook version did not count it.
 */
export function concludeUnit(
  { draft, brief, evidence, review }: Omit<WriteInput, 'unit'>,
  settings: Pick<RunSettings, 'options' | 'playbookVersion'>,
  countsEnd = true,
): IncidentConclusion {
  const claimed = resultIn(draft);
  const incident = incidentIn(brief);
  const limits = options.read(settings.options);
  const resolved = incident.resolved || (countsEnd && claimed.resolvedAt !== null);
  const examined = isExamined(settings);
  const reads = examined ? readsOf(evidence, draft) : [];
  const remaining = withoutRemovedClaims(claimed, review.crossExamination);
  const result = examined
    ? provenResult(remaining, {
        incident,
        alert: brief.text,
        evidence,
        reads,
        resolved,
        claimed: claimed.hypotheses,
        byRules: draft.method === 'heuristic',
      })
    : remaining;
  const doubts = examined ? doubtsAbout({ incident, result, reads, review, options: limits }) : [];
  const confidence = examined ? confidenceIn(draft, claimed, result, limits) : draft.confidence;
  const circumstances = { incident, resolved, options: limits, doubts };
  const made = decideIncident(result, { confidence, method: draft.method }, circumstances);
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

/** Steps whose reason does not state what is broken. The impact is put before their reason. */
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

/** Highest confidence of a model's answer after all its claims were removed. */
const NOTHING_STANDS = 0.3;

/**
 * Returns the confidence in the remaining claims. Limits: the share of citations that remain, and
 * `oneLookUpConfidence` if the first cause rests on one look-up.
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
  const limited = Math.min(confidence, share);
  const [first] = result.hypotheses;
  if (first === undefined) return result.falseAlarm === null ? Math.min(limited, NOTHING_STANDS) : limited;
  const restsOnOne = new Set(first.citations.map(({ id }) => id)).size === 1;
  return restsOnOne ? Math.min(limited, oneLookUpConfidence) : limited;
}

/** Makes the verdict from the results. */
export const pageTicketOrNothing: DecisionRule = {
  name: 'page-ticket-or-nothing',
  decide(units, settings, decidedAt) {
    const [unit] = units;
    if (unit === undefined)
      throw new CasefileError('no_units', 'there is nothing to decide on: the run has no unit');
    const { draft, review } = unit;
    const { action, because, result, confidence, doubts, resolved, circumstances } = concludeUnit(
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
      // A degraded result may have missed something, so a person reviews it. Exceptions: a page, which reaches
      // a person anyway, and a settled alert (resolved by its sender, a test, or always firing).
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

/** Returns the finding that the examining model gave no answer. Empty: it answered. */
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
