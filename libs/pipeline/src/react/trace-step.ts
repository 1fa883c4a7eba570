import {
  OBSERVATION_SHOWN,
  summariseReasoning,
  type ModelResponse,
  type TraceAction,
  type TraceStep,
} from '@casefile/contracts';
import { firstCodePoints, plainText } from '../plain-text.js';
import type { Taken, Told } from './take-actions.js';
import type { Turn } from './turns.js';

/** One turn as the trace shows it. S4-24. */
export function traceStep(
  { iteration, forced }: Turn,
  response: ModelResponse,
  { told, tells }: Taken,
): TraceStep {
  const { usage, costUsd } = response;
  return {
    ...{ iteration, step: iteration, forced: forced !== null },
    thought: thoughtOf(response),
    actions: told.map(({ name, args }, i) => ({ tool: name, args, ...actionOf(tells[i]) })),
    tokens: { input: usage.inputTokens, output: usage.outputTokens },
    costUsd,
  };
}

// S4-25: models that call tools mostly say nothing beside. The whole of their reasoning stays with the interaction: a
// verdict leaves the house, and takes the trace along.
function thoughtOf({ content, reasoning }: ModelResponse): string {
  const said = plainText(content).trim();
  if (said !== '') return firstCodePoints(said, OBSERVATION_SHOWN);
  return summariseReasoning(plainText(reasoning?.content ?? '').trim());
}

// A turn that finishes is told nothing: what came of it is the result.
function actionOf(told: Told | undefined): Omit<TraceAction, 'tool' | 'args'> {
  const { observation = '', cached = false, reasonCode = null, source = null } = told ?? {};
  const shown = firstCodePoints(observation, OBSERVATION_SHOWN);
  return {
    ...{ observation: shown, cut: shown !== observation, cached, reasonCode },
    ...{ toolCallId: source?.id ?? null, durationMs: cached ? 0 : (source?.durationMs ?? null) },
  };
}
