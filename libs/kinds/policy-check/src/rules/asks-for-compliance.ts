import { negationWords } from '@casefile/pipeline/reading/index';

/** Words that reverse a question, so that MET would mean that a requirement is broken. */
const TURNED = new RegExp(
  String.raw`\b(?:${negationWords('en')}|free of|late|later|too|after|outside|beyond|over|more than|less than|exceed(?:s|ed)?|miss(?:ed|ing)?|lack(?:s|ed)?|fail(?:s|ed)?|breach(?:ed)?|broken?|violat\w*|overdue|expired|declin\w*|refus\w*|reject\w*|exclu\w*|n't|\w+n't|although|because|despite|unless|if)\b`,
  'i',
);
const DUTY_WORDS = /\b(?:needs?|needed|requires?|required|necessary|have to|has to|must|should)\b/i;
/**
 * A clause that only names a requirement and does not ask about it: `the documents that a claim needs`, `as
 * required`.
 */
const NAMED_DUTY = /\b(?:that|which|as|what|everything)\b[^?]*$/i;

/**
 * Returns whether a criterion asks if a requirement is met, in words that a rule can read. Returns false for
 * reversed questions (`was it too late`, `is it not insured`) and for questions about whether something is
 * required at all.
 */
export function asksForCompliance(text: string): boolean {
  if (TURNED.test(text)) return false;
  const duty = DUTY_WORDS.exec(text);
  return duty === null || NAMED_DUTY.test(text.slice(0, duty.index));
}
