import {
  done,
  CasefileError,
  gapsOf,
  asCasefileError,
  isWorkerError,
  later,
  type Draft,
  type Outcome,
  type Question,
} from '@casefile/contracts';
import type { Rules, Strategy, DraftQuestion, DraftParts, ReasonInput } from '../strategy.js';
import { ask, isOfAnswer } from '../ask.js';
import type { Options } from '../options.js';
import type { StagePorts } from '../stage-ports.js';

/**
 * Answers by the playbook's own rules, without a model. The rules are chosen or compared with a model, so
 * this is not a fallback.
 * @param name Recorded on the draft.
 */
export function byRules(name: string, { answer }: Rules): Strategy {
  return {
    prompts: {},
    reason: async (input, { run }) => done({ ...answer(input, run.unit, run.settings), strategy: name }),
  };
}

/** Option of the playbook: time limit for a question and its repair together, in milliseconds. */
interface Deadline {
  deadlineMs: number;
}

/**
 * Asks a model once, asks again if the answer is invalid, and falls back to the rules.
 * @param morePrompts prompts of later stages that belong to the strategy, by purpose
 */
export function singleShot(
  { prompt, about }: DraftQuestion,
  rules: Rules,
  options: Options<Deadline>,
  morePrompts: Strategy['prompts'] = {},
): Strategy {
  return {
    prompts: { answer: prompt, ...morePrompts },
    reason: (input, ports) =>
      answerOrFallBack(
        about(input, ports.prompts),
        { strategy: 'single-shot', rules, options },
        input,
        ports,
      ),
  };
}

const STRATEGY = 'grounded';

/**
 * Returns a strategy that asks a model the question of the brief's mode (such as `normal`). The rules judge instead if a
 * look-up of `restsOn` failed, if there is no text, or if its language could not be detected: an answer of a model
 * without evidence is no better than theirs.
 * @param questions one question per mode
 * @param restsOn tools without whose result no model is asked
 * @param morePrompts prompts of later stages that belong to the strategy, by purpose
 * @returns a strategy that throws CasefileError `bad_playbook` for any other mode.
 */
export function groundedQuestions(
  questions: Readonly<Record<string, DraftQuestion>>,
  rules: Rules,
  options: Options<Deadline>,
  restsOn: readonly string[],
  morePrompts: Strategy['prompts'] = {},
): Strategy {
  const own = Object.fromEntries(Object.entries(questions).map(([mode, { prompt }]) => [mode, prompt]));
  return {
    prompts: { ...own, ...morePrompts },
    async reason(input, ports) {
      const { mode = '(none)', text, language } = input.brief;
      const question = Object.hasOwn(questions, mode) ? questions[mode] : undefined;
      if (question === undefined)
        throw new CasefileError(
          'bad_playbook',
          `${ports.run.settings.playbook} has no question for the mode ${mode}`,
        );
      const instead = (reason: string) => fallBack({ strategy: STRATEGY, rules }, input, ports, reason);
      if (text.trim() === '') return instead('no_text');
      if (language?.failure !== undefined) {
        ports.log.warn({ reason: language.failure }, 'the language of the text could not be detected');
        return instead('routing_failed');
      }
      const missing = gapsOf(input.evidence).find(
        ({ toolName }) => restsOn.includes(toolName) && ports.run.settings.tools.includes(toolName),
      );
      if (missing !== undefined) {
        ports.log.warn(
          { tool: missing.toolName, reason: missing.reason },
          'what to rest on could not be fetched',
        );
        return instead('retrieval_failed');
      }
      // A missing provider is not a failure. The draft then names the rules as its author.
      if (!ports.model.available) return fallBack({ strategy: 'rules', rules }, input, ports, 'no_provider');
      const rendered = question.about(input, ports.prompts);
      return answerOrFallBack(rendered, { strategy: STRATEGY, rules, options }, input, ports);
    },
  };
}

/** Journal steps: the question, and the one retry that states what was wrong. */
const STEPS = [1, 2] as const;
/** Delay of a run that does not fall back, if the provider names no time. Milliseconds. */
const OUTAGE_DELAY_MS = 30_000;

/** Name of the strategy on the draft, and its fallback rules. */
interface FallingBack {
  strategy: string;
  rules: Rules;
}

/**
 * Asks a model once, asks again if the answer is invalid, and falls back to the rules. Never throws for a
 * failure of a model.
 */
async function answerOrFallBack(
  question: Question<DraftParts>,
  to: FallingBack & { options: Options<Deadline> },
  input: ReasonInput,
  ports: StagePorts,
): Promise<Outcome<Draft>> {
  const { model, run, signal } = ports;
  if (!model.available) return fallBack(to, input, ports, 'no_provider');
  const warn = (step: number | null, { reasonCode: reason, message }: CasefileError) =>
    ports.log.warn(
      { ...stageFacts(ports, step, reason), message },
      'the language model gave no usable answer',
    );
  // A run that waits for its provider has no deadline: a deadline is drawn at the first attempt and would
  // have passed after every wait.
  const isPatient = run.settings.onOutage === 'later';
  const deadlineMs = isPatient ? null : to.options.read(run.settings.options).deadlineMs;
  const draw = model.draw(deadlineMs);
  try {
    const reply = await ask(question, {
      model,
      draw,
      steps: STEPS,
      signal,
      onWrong: warn,
    });
    if ('error' in reply) {
      const fallen = fallBack(to, input, ports, 'invalid_answer');
      return fallen.kind === 'done' ? done({ ...fallen.artifact, unreadable: STEPS.length }) : fallen;
    }
    const unreadable = reply.tries > 1 ? { unreadable: reply.tries - 1 } : {};
    const remarks = [...reply.value.remarks, ...reply.remarks];
    const leftMs = timeLeft(model.draw(deadlineMs).deadlineAt, ports.clock.now());
    return done({
      ...reply.value,
      remarks,
      ...unreadable,
      ...(leftMs === null ? {} : { leftMs }),
      strategy: to.strategy,
      promptId: question.id,
    });
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (signal.aborted || isWorkerError(error)) throw thrown;
    warn(null, error);
    // A paid but unusable answer is not an outage. Waiting would pay for the same answer again.
    if (run.settings.onOutage === 'later' && !isOfAnswer(error))
      return later(error.retryAfterMs ?? OUTAGE_DELAY_MS, error.reasonCode);
    return fallBack(to, input, ports, error.reasonCode);
  }
}

/** Returns the rules' answer with the reason for the fallback. */
export function fallBack(
  { strategy, rules }: FallingBack,
  input: ReasonInput,
  ports: StagePorts,
  reason: string,
): Outcome<Draft> {
  if (reason === 'no_provider')
    ports.log.info(stageFacts(ports, null, reason), 'no language model: the heuristic answers');
  const answer = (reason === 'no_provider' ? undefined : rules.afterFailure) ?? rules.answer;
  const draft = answer(input, ports.run.unit, ports.run.settings);
  return done({ ...draft, strategy, fallbackReason: reason });
}

function stageFacts({ run }: StagePorts, step: number | null, reason: string) {
  const { caseId, runId, settings } = run;
  return { caseId, runId, provider: settings.provider, model: settings.model, step, reason };
}

// Waits of the process have moved the deadline meanwhile.
function timeLeft(deadlineAt: number | null, now: number): number | null {
  return deadlineAt === null ? null : Math.max(0, deadlineAt - now);
}
