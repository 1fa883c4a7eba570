import {
  asCasefileError,
  type CasefileError,
  done,
  isOfTheWorker,
  later,
  type Draft,
  type Outcome,
  type Question,
  type RunSettings,
} from '@casefile/contracts';
import { ask } from './ask.js';
import type { StagePorts } from './stage-ports.js';
import type { DraftParts, ReasonInput, Rules } from './strategy.js';

/** Journal steps: the question, and the one retry that tells the model what was wrong. S1-25. */
const STEPS = [1, 2] as const;
/** One deadline covers both tries. S1-25. */
const DEADLINE_MS = 5_000;
/** How long a run that does not fall back waits when the provider names no time of its own. */
const OUTAGE_DELAY_MS = 30_000;

/** A strategy's name on the draft, and the rules that it falls back to. */
export interface FallingBack {
  strategy: string;
  rules: Rules;
}

/**
 * Asks a model once, once more when the answer is not valid, and falls back to the rules; never throws for a failure of
 * a model.
 */
export async function answerOrFallBack(
  question: Question<DraftParts>,
  to: FallingBack,
  input: ReasonInput,
  ports: StagePorts,
): Promise<Outcome<Draft>> {
  const { model, run, signal } = ports;
  if (!model.available) return fallBack(to, input, ports, 'no_provider');
  const warn = (step: number | null, { reasonCode: reason, message }: CasefileError) =>
    ports.log.warn({ ...factsOf(ports, step, reason), message }, 'the language model gave no usable answer');
  const draw = model.draw(deadlineMsOf(run.settings));
  try {
    const asked = await ask(question, { model, draw, steps: STEPS, signal, onWrong: warn });
    if ('error' in asked) {
      const fallen = fallBack(to, input, ports, 'invalid_answer');
      return fallen.kind === 'done' ? done({ ...fallen.artifact, unreadable: STEPS.length }) : fallen;
    }
    const unreadable = asked.tries > 1 ? { unreadable: asked.tries - 1 } : {};
    return done({ ...asked.value, ...unreadable, strategy: to.strategy, promptId: question.id });
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (signal.aborted || isOfTheWorker(error)) throw thrown;
    warn(null, error);
    if (run.settings.onOutage === 'later')
      return later(error.retryAfterMs ?? OUTAGE_DELAY_MS, error.reasonCode);
    return fallBack(to, input, ports, error.reasonCode);
  }
}

/** The rules' answer, with why it was taken. */
export function fallBack(
  { strategy, rules }: FallingBack,
  input: ReasonInput,
  ports: StagePorts,
  reason: string,
): Outcome<Draft> {
  if (reason === 'no_provider')
    ports.log.info(factsOf(ports, null, reason), 'no language model: the heuristic answers');
  const answer = (reason === 'no_provider' ? undefined : rules.afterFailure) ?? rules.answer;
  const draft = answer(input, ports.run.unit, ports.run.settings);
  return done({ ...draft, strategy, fallbackReason: reason });
}

// A run that waits for the provider has no deadline: it is drawn once, and would be over after every wait.
function deadlineMsOf(settings: RunSettings): number | null {
  if (settings.onOutage === 'later') return null;
  const given = settings.options['deadlineMs'];
  return typeof given === 'number' && given > 0 ? given : DEADLINE_MS;
}

function factsOf({ run }: StagePorts, step: number | null, reason: string) {
  const { caseId, runId, settings } = run;
  return { caseId, runId, provider: settings.provider, model: settings.model, step, reason };
}
