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
} from '@casefile/contracts';
import type { DecisionRule } from '../../playbook.js';
import type { Incident } from './alert.js';
import { options, type IncidentOptions } from './options.js';
import { incidentIn } from './runbook.js';
import { resultIn } from './result.js';

const DISPOSITION = { page: 'act', ticket: 'review', 'no-action': 'dismiss' } as const;

/** What an incident comes to, and by which step of the rule. */
export interface Decided {
  action: IncidentAction;
  /** For people. */
  because: string;
}

/** What the decision needs besides the result. */
export interface Circumstances {
  incident: Pick<Incident, 'name' | 'state'>;
  /** Does the sender report that it is over? */
  resolved: boolean;
  options: Pick<IncidentOptions, 'pageFrom' | 'alwaysFiring'>;
}

/**
 * The first that fits: a test, or an alert that always fires by design: nothing to do; a look-up that was needed failed
 * (critical: page, else ticket); the sender resolved it, or what was read shows that nothing is wrong: nothing to do; a rule
 * that could not be evaluated: ticket; critical, or sure enough with harm at this time: page; else ticket. If anything could
 * not be looked up, or no model judged, only the sender can report that nothing is wrong.
 */
export function decided(
  result: IncidentResult,
  { confidence, method }: Pick<Draft, 'confidence' | 'method'>,
  { incident: { name, state }, resolved, options: { pageFrom, alwaysFiring } }: Circumstances,
): Decided {
  if (state === 'test') return { action: 'no-action', because: 'It is a test message.' };
  if (alwaysFiring.includes(name))
    return { action: 'no-action', because: `${name} always fires by design, to show that alerting works.` };
  const { severity, requiredFailed, falseAlarm, gaps, impact } = result;
  const critical = severity === 'critical';
  if (requiredFailed.length > 0 && !resolved)
    return {
      action: critical ? 'page' : 'ticket',
      because: `A look-up that was needed gave no answer (${requiredFailed.join(', ')}), and the alert is ${critical ? '' : 'not '}critical.`,
    };
  if (resolved) return { action: 'no-action', because: 'Its sender says that it is over.' };
  if (falseAlarm !== null && gaps.length === 0 && method !== 'heuristic')
    return { action: 'no-action', because: 'What was looked up shows that nothing is wrong.' };
  if (state === 'no-data')
    return {
      action: 'ticket',
      because: 'The rule could not be evaluated: it is not known whether anything is wrong.',
    };
  if (critical) return { action: 'page', because: 'The alert is critical.' };
  if (method !== 'heuristic' && impact.now && confidence >= pageFrom)
    return { action: 'page', because: 'There is harm at this time, and the cause is clear enough.' };
  const why = impact.now
    ? 'the cause is not clear enough to wake somebody'
    : 'no look-up shows harm at this time';
  return { action: 'ticket', because: `The alert is not critical, and ${why}.` };
}

/** How results become the verdict. */
export const pageTicketOrNothing: DecisionRule = {
  name: 'page-ticket-or-nothing',
  decide(units, settings, decidedAt) {
    const [unit] = units;
    if (unit === undefined)
      throw new CasefileError('no_units', 'there is nothing to decide on: the run has no unit');
    const { draft, brief } = unit;
    const result = resultIn(draft);
    const incident = incidentIn(brief);
    const resolved = incident.resolved || result.resolvedAt !== null;
    const circumstances = { incident, resolved, options: options.read(settings.options) };
    const { action, because } = decided(result, draft, circumstances);
    const isSettled = resolved || incident.state === 'test' || isAlwaysFiring(circumstances);
    const degradation = degradationOf(causesOf(draft, result), {
      tried: result.lookUps.length,
      failed: result.lookUps.filter(({ gap }) => gap !== null).length,
    });
    return {
      outcome: outcomeOf(result, action),
      // S2-44: what did not go as it was meant to is looked at, unless somebody is woken anyway. What its sender took back is over.
      disposition: degradation.degraded && action !== 'page' && !isSettled ? 'review' : DISPOSITION[action],
      confidence: draft.confidence,
      confidenceSource: draft.confidenceSource,
      method: draft.method,
      reasons: [because, ...reasonsOf(result, draft)],
      citations: draft.evidenceUsed,
      ...degradation,
      decidedAt,
    };
  },
};

function isAlwaysFiring({ incident, options: { alwaysFiring } }: Circumstances): boolean {
  return alwaysFiring.includes(incident.name);
}

function outcomeOf(result: IncidentResult, action: IncidentAction): JsonObject {
  const { name, severity, summary, hypotheses, ruledOut, steps, impact, gaps, runbook } = result;
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
