import type { IncidentResult } from '@casefile/contracts';
import { inLine } from '../../../plain-text.js';
import type { DraftParts, ReasonInput, RuleAnswer } from '../../../strategy.js';
import type { Incident } from '../alert.js';
import type { AlertState } from '../sent/state.js';
import { incidentIn, runbookIn, stepsLeft } from '../runbook.js';
import { lookUpsOf } from '../look-ups.js';
import { baseOf, draftOf, type Turns } from '../result.js';

/** How sure rules are: of what the sender said itself, of a severity that it gave, and where it gave none. */
const CONFIDENCE = { resolved: 0.9, given: 0.6, unknown: 0.4 };

/**
 * What can be said without a model: what the sender says, the first steps of the runbook, and what its tools answered. No
 * cause is named, for none was reasoned about. S2-49.
 * @param end How far a model came before it failed; null: none was asked.
 * @param keepsTexts Does the draft keep what the model looked up?
 * @param resolvedAt When its sender said that it is over, while the run was under way; null: it did not.
 */
export function judgeByRules(
  input: ReasonInput,
  end: Turns | null = null,
  resolvedAt: string | null = null,
  keepsTexts = false,
): DraftParts {
  const incident = incidentIn(input.brief);
  const runbook = runbookIn(input.evidence);
  const reads = lookUpsOf(input.evidence, end?.calls ?? []);
  const { severity } = incident;
  const resolved = incident.resolved || resolvedAt !== null;
  const steps = runbook === null ? [] : stepsLeft(runbook.text, reads);
  const result: IncidentResult = {
    ...baseOf(input, end, reads, resolvedAt),
    summary: summaryOf({ ...incident, resolved }),
    impact: {
      now: severity === 'critical' && !resolved && incident.state === 'firing',
      what: impactOf(incident.annotations),
    },
    hypotheses: [],
    ruledOut: [],
    // What a runbook says is meant to be done by people; what it risks, only they can tell.
    steps: steps.map((what) => ({ what, risk: 'medium', reversible: false })),
    falseAlarm: null,
    refuted: [],
    dropped: [],
  };
  const sure = resolved ? 'resolved' : severity === 'unknown' ? 'unknown' : 'given';
  return {
    ...draftOf(result, reads, keepsTexts),
    confidence: CONFIDENCE[sure],
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: end?.remarks ?? [],
  };
}

/** The same as an answer of the kind's rules. */
export const byRule: RuleAnswer = (input) => judgeByRules(input);

/** What is said of an alert that is not over. */
const STATES: Record<AlertState, string> = {
  firing: 'still firing',
  resolved: 'its sender says that it is over',
  test: 'a test message',
  'no-data': 'its rule could not be evaluated',
};

function summaryOf({ name, severity, resolved, state: told, annotations, summary }: Incident): string {
  const how = severity === 'unknown' ? 'severity unknown' : severity;
  const reported = annotations['summary'] ?? annotations['description'] ?? (summary === name ? '' : summary);
  const said = reported === '' ? '' : `: ${inLine(reported, 300)}`;
  const state = resolved ? 'its sender says that it is over' : STATES[told];
  return `${inLine(name, 120)} (${how}, ${state})${said}${/[.!?]$/.test(said) ? '' : '.'} No model looked for a cause.`;
}

function impactOf(annotations: Record<string, string>): string {
  return inLine(annotations['impact'] ?? 'not known', 500);
}
