import type { Alert, AskedSignal, Brief, ChosenOption, JsonObject } from '@casefile/contracts';
import type { Clarification } from '@casefile/pipeline/parts/clarifying';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import { askRole } from './model/ask-role.js';
import { clarificationQuestion, type QueryReading } from './model/clarification.js';
import { optionsOf } from './result.js';
import { isClarifiable, requestSchema } from './read-input.js';
import { WORDS } from './words.js';

/** Part of the run's time limit that the clarification may take: one divided by this number. */
const ASKING_SHARE = 4;
/** Option that keeps the question unchanged. Only the asker can narrow a question. */
const AS_ASKED = 'as-asked';

/**
 * Returns the clarification to ask for if a question is ambiguous in time, scope or subject. Asks only if the
 * request allows it, and never if the request names the days.
 */
export async function clarification(
  alert: Alert,
  brief: Brief,
  ports: StagePorts,
): Promise<Clarification | null> {
  if (!isClarifiable(alert) || !ports.model.available) return null;
  const request = requestSchema.parse(brief.input);
  const { clarifyTimeoutMs, clarifyWaitMs: waitMs, endWithinMs } = optionsOf(ports.run.settings);
  const timeoutMs = Math.min(clarifyTimeoutMs, (endWithinMs ?? Infinity) / ASKING_SHARE);
  const answer = await askRole(
    clarificationQuestion(request, ports.prompts),
    { timeoutMs, maxRetries: 0 },
    ports,
  );
  if ('failed' in answer || answer.value.readings.length === 0) return null;
  const { question, readings } = answer.value;
  const options = readings.map(({ label }, i) => ({ value: `reading-${i + 1}`, label }));
  const asked: AskedSignal = {
    name: 'clarification',
    question,
    options: [{ value: AS_ASKED, label: WORDS[request.language].asAsked }, ...options],
    fallback: AS_ASKED,
  };
  const readingOf = ({ value }: ChosenOption): QueryReading | undefined =>
    readings[options.findIndex((option) => option.value === value)];
  const settled = (chosen: ChosenOption): Partial<Brief> => {
    const reading = readingOf(chosen);
    const query = reading?.query ?? request.query;
    const clarified = {
      asked: request.query,
      question,
      label: reading?.label ?? null,
      by: chosen.by,
      at: chosen.at,
    };
    return { text: query, input: { ...request, query, clarified } satisfies JsonObject };
  };
  return { question: asked, waitMs, settled };
}
