import {
  asCasefileError,
  DEMONSTRATION,
  isWorkerError,
  later,
  reasonInWords,
  reasonOf,
  type CrossExamination,
  type ExaminedClaim,
  type ExaminedPlanted,
  type Finding,
  type Later,
  type Review,
  type RunSettings,
} from '@casefile/contracts';
import { ask, isOfAnswer } from '../ask.js';
import { inLine } from '../plain-text.js';
import type { Critique, ReviewInput } from '../stage-parts.js';
import type { StagePorts } from '../stage-ports.js';
import { examinationQuestion, isSupported, MOST_CLAIMS, unansweredPlanted } from './examination-question.js';
import type { Matter } from './examined-matter.js';
import { plantClaims, PLANTED_BY_DEFAULT } from './planted-claims.js';

/** Journal steps of the question and its repair; separate from the steps of a critic in the same stage. */
const STEPS = [10_001, 10_002] as const;
/**
 * Delay before a run that waits out an outage tries again, if the provider names no time, in milliseconds.
 */
const OUTAGE_DELAY_MS = 30_000;

export const NOT_CROSS_EXAMINED = 'not_cross_examined';
/** Reason code of an examination whose examiner supported a planted claim. */
export const PLANTED_SUPPORTED = 'planted_supported';

/** Settings of a playbook's cross-examination. */
export interface Examination {
  /**
   * Returns the limits of a run. `untilMs`: end of the run in milliseconds since the epoch. Default: none.
   * `plantedClaims`: number of false claims to plant. Default: `PLANTED_BY_DEFAULT`.
   */
  limits(
    settings: RunSettings,
    input: ReviewInput,
  ): { crossExamine: boolean; timeoutMs: number; untilMs?: number | null; plantedClaims?: number };
  /**
   * Returns the claims that the verdict would rest on, with their sources; null: the verdict needs no
   * cross-examination.
   */
  matter(input: ReviewInput, review: Review, settings: RunSettings): Matter | null;
  /** Words of the findings, in the language of the case. Default: English. */
  words?(input: ReviewInput): FindingWords;
}

/** The messages of findings. */
export interface FindingWords {
  removed(claim: ExaminedClaim): string;
  /** @param why The reason code of the failed question; null: there are more claims than one question takes. */
  missing(why: string | null): string;
}

/** Messages of findings in English. */
export const ENGLISH_FINDINGS: FindingWords = {
  removed: ({ text, answer, sources, quote }) =>
    answer === 'contradicts' && quote !== null
      ? `A source contradicts “${inLine(text, 200)}”: “${inLine(quote.words)}” [${quote.source}].`
      : `The sources [${sources.join(', ')}] do not state “${inLine(text, 200)}”.`,
  missing: (why) =>
    why === null
      ? `Only the first ${MOST_CLAIMS} claims were cross-examined.`
      : `The claims were not cross-examined: ${reasonInWords(why)}.`,
};

/**
 * Wraps a critique and adds one model question before a verdict that would dismiss, page or pass: do the
 * sources of each claim support it? The answer is added to the review. Each contradicted or unsupported claim
 * becomes a finding. The ruling is at least WARN if a claim failed or there was no answer. The playbook then
 * removes the failed claims. An examiner that supports a planted claim gave no answer: it is not believed.
 */
export function crossExamining(examination: Examination, critique: Critique): Critique {
  return async (input, ports) => {
    const outcome = await critique(input, ports);
    const { settings } = ports.run;
    if (outcome.kind !== 'done') return outcome;
    const limits = examination.limits(settings, input);
    const { crossExamine, timeoutMs, untilMs = null, plantedClaims = PLANTED_BY_DEFAULT } = limits;
    const matter = crossExamine ? examination.matter(input, outcome.artifact, settings) : null;
    if (matter === null || matter.claims.length === 0) return outcome;
    const deadlineAt = Math.min(ports.clock.now() + timeoutMs, untilMs ?? Infinity);
    // The answers of a demonstration were written by hand for the claims of the sample alone.
    const planting = settings.provider === DEMONSTRATION ? 0 : plantedClaims;
    const examined = await examine(matter, { deadlineAt, planting }, ports);
    if ('kind' in examined) return examined;
    const { crossExamination, remarks } = examined;
    const { remarks: before = [], ...review } = outcome.artifact;
    const words = examination.words?.(input) ?? ENGLISH_FINDINGS;
    const findings = crossExaminationFindings(crossExamination, matter, words);
    return {
      ...outcome,
      artifact: {
        ...review,
        ruling: findings.length > 0 && review.ruling === 'PASS' ? 'WARN' : review.ruling,
        findings: [...findings, ...review.findings],
        ...(before.length + remarks.length === 0 ? {} : { remarks: [...before, ...remarks] }),
        crossExamination,
      },
    };
  };
}

/** Returns whether the cross-examination of a review got no answer. False also if the verdict needed none. */
export function isUnanswered({ crossExamination }: Pick<Review, 'crossExamination'>): boolean {
  return crossExamination !== undefined && crossExamination.failed !== null;
}

/**
 * Asks the question, and asks again if the answer cannot be used.
 * @throws errors of the worker itself, and an exhausted budget, for which the run waits until the budget is
 * raised.
 */
async function examine(
  matter: Matter,
  { deadlineAt, planting }: { deadlineAt: number; planting: number },
  { model, prompts, run, signal, log }: StagePorts,
): Promise<{ crossExamination: CrossExamination; remarks: string[] } | Later> {
  const text = prompts.of(matter.prompt);
  const result = (over: Partial<CrossExamination>, remarks: string[] = []) => ({
    crossExamination: { claims: [], failed: null, promptId: text.id, ...over },
    remarks,
  });
  if (!model.available) return result({ failed: 'no_provider' });
  const { seed } = model.draw(null);
  const planted = plantClaims(matter, planting, seed);
  const question = examinationQuestion(matter, text, { planted, seed });
  const failed = (reason: string) =>
    result({ failed: reason, ...listed(unansweredPlanted(matter, planted, seed)) });
  try {
    const reply = await ask(question, { model, draw: { seed, deadlineAt }, steps: STEPS, signal });
    if ('error' in reply) return failed('invalid_answer');
    const { value, remarks } = reply;
    const isBelieved = !value.planted.some(isSupported);
    return result(
      {
        claims: isBelieved ? value.claims : [],
        failed: isBelieved ? null : PLANTED_SUPPORTED,
        ...listed(value.planted),
      },
      remarks,
    );
  } catch (thrown) {
    const error = asCasefileError(thrown);
    const waits = isWorkerError(error) || reasonOf(error.reasonCode).of === 'money';
    if (signal.aborted || waits) throw thrown;
    if (run.settings.onOutage === 'later' && !isOfAnswer(error))
      return later(error.retryAfterMs ?? OUTAGE_DELAY_MS, error.reasonCode);
    const { caseId, runId } = run;
    log.warn({ caseId, runId, reason: error.reasonCode }, 'the claims of a draft were not cross-examined');
    return failed(error.reasonCode);
  }
}

const listed = (planted: ExaminedPlanted[]): Pick<CrossExamination, 'planted'> =>
  planted.length === 0 ? {} : { planted };

function crossExaminationFindings(
  { claims, failed }: CrossExamination,
  matter: Matter,
  words: FindingWords,
): Finding[] {
  const missing = (why: string | null): Finding => ({
    id: NOT_CROSS_EXAMINED,
    code: NOT_CROSS_EXAMINED,
    message: words.missing(why),
  });
  if (failed !== null) return [missing(failed)];
  const removed = claims.filter(({ answer }) => answer !== 'supports');
  return [
    ...removed.map((claim) => {
      const code = claim.answer === 'contradicts' ? 'claim_contradicted' : 'claim_not_in_sources';
      return { id: `${code}:${claim.id}:${inLine(claim.text, 100)}`, code, message: words.removed(claim) };
    }),
    ...(matter.claims.length > MOST_CLAIMS ? [missing(null)] : []),
  ];
}
