import type { IncidentResult } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import type { DraftParts, ReasonInput, RuleAnswer } from '@casefile/pipeline/strategy';
import type { Incident } from '../alert.js';
import { stateInWords } from '../proven.js';
import { incidentIn, runbookIn, stepsLeft } from '../runbook.js';
import { lookUpsOf } from '../look-ups.js';
import { reasonBase, resultDraft, type Turns } from '../result.js';

/**
 * Confidence of rules: for a resolved alert, for an alert with a severity, and for one without. A look-up of the alert's
 * condition that still held confirms the sender, and one that did not leaves it open.
 */
const CONFIDENCE = { resolved: 0.9, given: 0.6, unknown: 0.4 };
const MEASURED = { holds: 0.15, over: -0.2, value: 0 };

/**
 * Returns a draft without a model: the sender's facts, the first steps of the runbook, and the answers of its
 * tools. The draft names no cause, because no model reasoned about causes.
 * @param end Loop of the model before it failed; null: no model was asked.
 * @param resolvedAt Time at which the sender resolved the alert during the run; null: not resolved.
 */
export function judgeByRules(
  input: ReasonInput,
  end: Turns | null = null,
  resolvedAt: string | null = null,
): DraftParts {
  const incident = incidentIn(input.brief);
  const runbook = runbookIn(input.evidence);
  const reads = lookUpsOf(input.evidence, end?.calls ?? []);
  const { severity } = incident;
  const resolved = incident.resolved || resolvedAt !== null;
  const steps = runbook === null ? [] : stepsLeft(runbook.text, reads);
  const result: IncidentResult = {
    ...reasonBase(input, end, reads, resolvedAt),
    summary: incidentSummary({ ...incident, resolved }),
    impact: {
      now: severity === 'critical' && !resolved && incident.state === 'firing',
      what: annotationImpact(incident.annotations),
    },
    hypotheses: [],
    ruledOut: [],
    // Risk and reversibility are unknown, so the careful values are used.
    steps: steps.map((what) => ({ what, risk: 'medium', reversible: false })),
    falseAlarm: null,
    refuted: [],
    dropped: [],
  };
  const sure = resolved ? 'resolved' : severity === 'unknown' ? 'unknown' : 'given';
  return {
    ...resultDraft(result, reads),
    confidence: confidenceOf(sure, result),
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: end?.remarks ?? [],
  };
}

function confidenceOf(sure: keyof typeof CONFIDENCE, { measured }: IncidentResult): number {
  if (sure === 'resolved' || measured === undefined) return CONFIDENCE[sure];
  return Math.round((CONFIDENCE[sure] + MEASURED[measured.state]) * 100) / 100;
}

/** The same draft, in the form of an answer by rules. */
export const byRule: RuleAnswer = (input) => judgeByRules(input);

function incidentSummary(incident: Incident): string {
  const { name, severity, annotations, summary } = incident;
  const how = severity === 'unknown' ? 'severity unknown' : severity;
  const reported = annotations['summary'] ?? annotations['description'] ?? (summary === name ? '' : summary);
  const said = reported === '' ? '' : `: ${inLine(reported, 300)}`;
  const state = stateInWords(incident, incident.resolved);
  return `${inLine(name, 120)} (${how}, ${state})${said}${/[.!?]$/.test(said) ? '' : '.'} No model looked for a cause.`;
}

function annotationImpact(annotations: Record<string, string>): string {
  return inLine(annotations['impact'] ?? 'not known', 500);
}
