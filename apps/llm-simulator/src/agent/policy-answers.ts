import { CRITERION_STATUSES, z } from '@casefile/contracts';
import sampleAnswers from './sample-answers.json' with { type: 'json' };

/**
 * Answer that the simulated agent finishes with, instead of its own rule. The first answer of the list that
 * matches a conversation is used.
 * - `criterion`: the exact text of the criterion.
 * - `case`: the title of the case bundle. Default: any case with this criterion.
 * - `status`, `confidence` (0 to 1, default 0.8) and `rationale`: sent as they are. The rationale is preceded
 *   by the statement that the answer is simulated.
 * - `quotes`: exact words. Each is cited with the section in which the agent found it, and left out if the
 *   agent did not find it. Default: the found sentence that shares the most words with the criterion.
 * - `facts`: names. Every reading of such a fact that the agent requested is cited with its id and value.
 *
 * An answer `UNCERTAIN` also cites the requested facts that are not on file.
 */
export const policyAnswerSchema = z.strictObject({
  criterion: z.string().trim().min(1),
  case: z.string().trim().min(1).optional(),
  status: z.enum(CRITERION_STATUSES),
  confidence: z.number().min(0).max(1).default(0.8),
  rationale: z.string().trim().min(1).optional(),
  quotes: z.array(z.string().trim().min(1)).optional(),
  facts: z.array(z.string().trim().min(1)).default([]),
});
export type PolicyAnswer = z.infer<typeof policyAnswerSchema>;

/** Answers to the bundled sample cases (`samples/policy-cases.json`). A script without answers has these. */
export const SAMPLE_ANSWERS = z.array(policyAnswerSchema).parse(sampleAnswers);

/** Returns the answer for a criterion of a case; undefined: the script has none. */
export function policyAnswerFor(
  answers: readonly PolicyAnswer[],
  criterion: string,
  caseTitle: string | null,
): PolicyAnswer | undefined {
  return answers.find(
    (answer) =>
      answer.criterion === criterion.trim() && (answer.case === undefined || answer.case === caseTitle),
  );
}
