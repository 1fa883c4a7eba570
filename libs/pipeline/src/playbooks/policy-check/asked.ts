/** Turns a question round: met would mean that a requirement is broken. */
const TURNED =
  /\b(?:no|not|never|none|neither|without|free of|late|later|too|after|outside|beyond|over|more than|less than|exceed(?:s|ed)?|miss(?:ed|ing)?|lack(?:s|ed)?|fail(?:s|ed)?|breach(?:ed)?|broken?|violat\w*|overdue|expired|declin\w*|refus\w*|reject\w*|exclu\w*|n't|\w+n't|although|because|despite|unless|if)\b/i;
const DUTY_WORDS = /\b(?:needs?|needed|requires?|required|necessary|have to|has to|must|should)\b/i;
/** `the documents that a claim needs`, `as required`: what is needed is named, not asked. */
const NAMED_DUTY = /\b(?:that|which|as|what|everything)\b[^?]*$/i;

/**
 * Does a criterion ask whether a requirement is kept, in words that a rule can take? Not where it is turned round
 * (`was it too late`, `is it not insured`), and not where it asks whether something is required at all.
 */
export function asksForCompliance(text: string): boolean {
  if (TURNED.test(text)) return false;
  const duty = DUTY_WORDS.exec(text);
  return duty === null || NAMED_DUTY.test(text.slice(0, duty.index));
}
