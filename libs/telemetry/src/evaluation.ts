import { trace } from '@opentelemetry/api';
import { ATTRIBUTES, EVENTS } from './names.js';

/** A judgement of an answer of a model, by the GenAI conventions. */
export interface Evaluation {
  /** What is evaluated, such as `review`. A bounded set. */
  name: string;
  /** Result in a word, such as `PASS`. */
  label: string;
  /** From 0 to 1. */
  score?: number;
}

/** Adds an evaluation as an event to the caller's span. Without a span it does nothing. */
export function emitEvaluation({ name, label, score }: Evaluation): void {
  trace.getActiveSpan()?.addEvent(EVENTS.evaluation, {
    [ATTRIBUTES.evaluationName]: name,
    [ATTRIBUTES.evaluationLabel]: label,
    ...(score === undefined ? {} : { [ATTRIBUTES.evaluationScore]: score }),
  });
}
