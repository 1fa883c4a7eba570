import {
  done,
  CasefileError,
  gapsOf,
  asCasefileError,
  isOfTheWorker,
  later,
  readingOf,
  type Draft,
  type Outcome,
  type Question,
} from '@casefile/contracts';
import type { Rules, Strategy, DraftQuestion, DraftParts, ReasonInput } from '../strategy.js';
import { ask, isOfAnswer } from '../ask.js';
import type { Options } from '../options.js';
import type { StagePorts } from '../stage-ports.js';

/**
 * The answer of the kind's own rules, chosen or compared with a model's; no model is asked, and it is no fallback. S1-40,
 * S3-44.
 * @param name Stands on the draft.
 */
export function byRules(name: string, { answer }: Rules): Strategy {
  return {
    prompts: {},
    reason: async (input, { run }) => done({ ...answer(input, run.unit, run.settings), strategy: name }),
  };
}

/** Of the options of a kind: for a question and its repair together, in milliseconds. S1-25. */
interface Deadline {
  deadlineMs: number;
}

/** Asks a model once, once more when the answer is not valid, and falls back to the rules. */
export function singleShot(
  { prompt, about }: DraftQuestion,
  rules: Rules,
  options: Options<Deadline>,
): Strategy {
  return {
    prompts: { answer: prompt },
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
 * Asks the question of the brief's mode, over what the playbook's tools found. Where one of them could not look, there is
 * no text, or its language could not be looked for, no model is asked: an answer that rests on nothing is no better than the rules'. S3-41.
 * @param questions One for each mode that the playbook's routing knows.
 * @returns a strategy that throws CasefileError `bad_playbook` for any other mode.
 */
export function grounded(
  questions: Readonly<Record<string, DraftQuestion>>,
  rules: Rules,
  options: Options<Deadline>,
): Strategy {
  return {
    prompts: Object.fromEntries(Object.entries(questions).map(([mode, { prompt }]) => [mode, prompt])),
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
        ports.log.warn({ reason: language.failure }, 'the language of the text could not be told');
        return instead('routing_failed');
      }
      const missing = gapsOf(input.evidence).find((gap) => ports.run.settings.tools.includes(gap.toolName));
      if (missing !== undefined) {
        ports.log.warn(
          { tool: missing.toolName, reason: missing.reason },
          'what to rest on could not be fetched',
        );
        return instead('retrieval_failed');
      }
      // S3-44: that no model is configured is no failure, and the draft names the rules that judged.
      if (!ports.model.available) return fallBack({ strategy: 'rules', rules }, input, ports, 'no_provider');
      const asked = question.about(input, ports.prompts);
      return answerOrFallBack(asked, { strategy: STRATEGY, rules, options }, input, ports);
    },
  };
}

/** Journal steps: the question, and the one retry that tells the model what was wrong. S1-25. */
const STEPS = [1, 2] as const;
/** How long a run that does not fall back waits when the provider names no time of its own. */
const OUTAGE_DELAY_MS = 30_000;

/** A strategy's name on the draft, and the rules that it falls back to. */
interface FallingBack {
  strategy: string;
  rules: Rules;
}

/**
 * Asks a model once, once more when the answer is not valid, and falls back to the rules; never throws for a failure of
 * a model.
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
    ports.log.warn({ ...factsOf(ports, step, reason), message }, 'the language model gave no usable answer');
  // A run that waits for the provider has no deadline: it is drawn once, and would be over after every wait.
  const isPatient = run.settings.onOutage === 'later';
  const draw = model.draw(isPatient ? null : to.options.read(run.settings.options).deadlineMs);
  try {
    const asked = await ask(question, {
      model,
      draw,
      steps: STEPS,
      signal,
      reading: readingOf(run.settings),
      onWrong: warn,
    });
    if ('error' in asked) {
      const fallen = fallBack(to, input, ports, 'invalid_answer');
      return fallen.kind === 'done' ? done({ ...fallen.artifact, unreadable: STEPS.length }) : fallen;
    }
    const unreadable = asked.tries > 1 ? { unreadable: asked.tries - 1 } : {};
    const remarks = [...asked.value.remarks, ...asked.remarks];
    return done({ ...asked.value, remarks, ...unreadable, strategy: to.strategy, promptId: question.id });
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (signal.aborted || isOfTheWorker(error)) throw thrown;
    warn(null, error);
    // An answer that was paid and cannot be used is no outage: the same would be paid again after each wait.
    if (run.settings.onOutage === 'later' && !isOfAnswer(error))
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

function factsOf({ run }: StagePorts, step: number | null, reason: string) {
  const { caseId, runId, settings } = run;
  return { caseId, runId, provider: settings.provider, model: settings.model, step, reason };
}
