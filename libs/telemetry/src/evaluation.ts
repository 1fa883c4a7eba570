import { trace, type Attributes } from '@opentelemetry/api';
import { casefileTracer } from './meter.js';
import { ATTRIBUTES, EVENTS, SPANS } from './names.js';

/** A judgement of an answer, by the GenAI conventions. */
export interface Evaluation {
  /** What is evaluated, such as `review`. A bounded set. */
  name: string;
  /** Result in a word, such as `PASS`. */
  label: string;
  /** From 0 to 1. */
  score?: number;
}

/** Adds an evaluation as an event to the caller's span. Without a span it does nothing. */
export function emitEvaluation(evaluation: Evaluation): void {
  trace.getActiveSpan()?.addEvent(EVENTS.evaluation, evaluationAttributes(evaluation));
}

/**
 * Emits the label of a person or another system as an event of a span `label`. A label arrives after the spans
 * of its case have ended, so it has a span of its own, which names the run.
 */
export function emitLabel(evaluation: Evaluation, about: { caseId: string; runId: string }): void {
  const attributes = { [ATTRIBUTES.caseId]: about.caseId, [ATTRIBUTES.runId]: about.runId };
  const span = casefileTracer().startSpan(SPANS.label, { attributes });
  span.addEvent(EVENTS.evaluation, evaluationAttributes(evaluation));
  span.end();
}

function evaluationAttributes({ name, label, score }: Evaluation): Attributes {
  return {
    [ATTRIBUTES.evaluationName]: name,
    [ATTRIBUTES.evaluationLabel]: label,
    ...(score === undefined ? {} : { [ATTRIBUTES.evaluationScore]: score }),
  };
}
