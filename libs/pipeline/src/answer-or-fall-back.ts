import {
  asCasefileError,
  type CasefileError,
  done,
  isOfTheWorker,
  later,
  type Draft,
  type Draw,
  type Outcome,
  reasonOf,
} from '@casefile/contracts';
import { markOf } from './fence.js';
import type { StagePorts } from './stage-ports.js';
import type { AnswerPrompt, DraftParts, ReasonInput, Rules } from './strategy.js';

/** Journal steps: the question, and the one retry that tells the model what was wrong. S1-25. */
const STEP = { ask: 1, retry: 2 } as const;
/** One deadline covers both tries. S1-25. */
const DEADLINE_MS = 5_000;
/** How long a run that does not fall back waits when the provider names no time of its own. */
const OUTAGE_DELAY_MS = 30_000;

type Read = { draft: DraftParts; mended?: true } | { problem: string; content: string };

/** A strategy's name on the draft, and the rules that it falls back to. */
export interface FallingBack {
  strategy: string;
  rules: Rules;
}

/** The same of a strategy that asks one question. */
export interface Asking extends FallingBack {
  prompt: AnswerPrompt;
}

/**
 * Asks a model once, once more when the answer is not valid, and falls back to the playbook's own answer; never throws
 * for a failure of a model.
 */
export async function answerOrFallBack(
  asking: Asking,
  input: ReasonInput,
  ports: StagePorts,
): Promise<Outcome<Draft>> {
  const { strategy, prompt } = asking;
  if (!ports.model.available) return fallBack(asking, input, ports, 'no_provider');
  const draw = ports.model.draw(deadlineMsOf(ports.run.settings));
  try {
    const read = await askTwice(input, ports, prompt, draw);
    if ('problem' in read) {
      const fallen = fallBack(asking, input, ports, 'invalid_answer');
      return fallen.kind === 'done' ? done({ ...fallen.artifact, unreadable: 2 }) : fallen;
    }
    const unreadable = read.mended === true ? { unreadable: 1 } : {};
    return done({ ...read.draft, ...unreadable, strategy, promptId: prompt.id });
  } catch (thrown) {
    return afterFailure(asking, thrown, input, ports);
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

async function askTwice(
  input: ReasonInput,
  ports: StagePorts,
  prompt: AnswerPrompt,
  draw: Draw,
): Promise<Read> {
  const ask = (step: number, request: ReturnType<AnswerPrompt['render']>) =>
    askOnce(input, ports, { prompt, draw, step, request });
  const first = await ask(STEP.ask, prompt.render(input, markOf(draw, STEP.ask)));
  if ('draft' in first) return first;
  const mark = markOf(draw, STEP.retry);
  const second = await ask(STEP.retry, prompt.renderRetry(input, mark, first.content, first.problem));
  return 'draft' in second ? { ...second, mended: true } : second;
}

async function askOnce(
  input: ReasonInput,
  ports: StagePorts,
  at: { prompt: AnswerPrompt; draw: Draw; step: number; request: ReturnType<AnswerPrompt['render']> },
): Promise<Read> {
  const content = await contentOf(ports, at);
  if (typeof content !== 'string') return { problem: content.problem, content: '' };
  const read = at.prompt.read(content, input);
  if ('draft' in read) return read;
  logFailure(ports, at.step, 'invalid_answer', read.problem);
  return { problem: read.problem, content };
}

async function contentOf(
  ports: StagePorts,
  at: Parameters<typeof askOnce>[2],
): Promise<string | { problem: string }> {
  try {
    return (await ports.model.call(at.step, at.request, at.draw.deadlineAt)).content;
  } catch (thrown) {
    const error = asCasefileError(thrown);
    // An answer gone wrong, rather than a provider, is worth the retry.
    const { of, retry } = reasonOf(error.reasonCode);
    if (ports.signal.aborted || of !== 'answer' || retry !== true) throw thrown;
    logFailure(ports, at.step, error.reasonCode, error.message);
    return {
      problem: error.reasonCode === 'cut_answer' ? 'The answer was cut off.' : 'The answer was empty.',
    };
  }
}

function afterFailure(
  asking: Asking,
  thrown: unknown,
  input: ReasonInput,
  ports: StagePorts,
): Outcome<Draft> {
  const error = asCasefileError(thrown);
  if (ports.signal.aborted || isOfTheWorker(error)) throw thrown;
  logFailure(ports, null, error.reasonCode, error.message);
  if (ports.run.settings.onOutage === 'later') return whenItIsOver(error);
  return fallBack(asking, input, ports, error.reasonCode);
}

function whenItIsOver(error: CasefileError): Outcome<Draft> {
  return later(error.retryAfterMs ?? OUTAGE_DELAY_MS, error.reasonCode);
}

// A run that waits for the provider has no deadline: it is drawn once, and would be over after every wait.
function deadlineMsOf(settings: StagePorts['run']['settings']): number | null {
  if (settings.onOutage === 'later') return null;
  const given = settings.options['deadlineMs'];
  return typeof given === 'number' && given > 0 ? given : DEADLINE_MS;
}

function logFailure(ports: StagePorts, step: number | null, reason: string, message: string): void {
  ports.log.warn({ ...factsOf(ports, step, reason), message }, 'the language model gave no usable answer');
}

function factsOf({ run }: StagePorts, step: number | null, reason: string) {
  const { caseId, runId, settings } = run;
  return { caseId, runId, provider: settings.provider, model: settings.model, step, reason };
}
