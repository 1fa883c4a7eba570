/** Reason codes of failures that people meet, as part of a sentence after "because" or in brackets. */
const WORDS: Record<string, string> = {
  no_provider: 'no language model is configured',
  circuit_open: 'its provider is out and was not asked',
  server_error: 'its provider failed',
  network: 'there was no connection to it',
  timeout: 'it did not answer in time',
  deadline: 'it did not answer in time',
  bad_key: 'its provider refused the key',
  quota_exhausted: 'the quota at its provider is used up',
  rate_limited: 'its provider took no more calls',
  budget_exhausted: 'no budget had room for it',
  budget_exceeded: 'no budget had room for it',
  unknown_price: 'its price is not known, and a budget counts money',
  refused: 'it refused the question',
  bad_request: 'its provider refused the question',
  invalid_answer: 'its answer could not be used',
  invalid_schema: 'its answer could not be used',
  empty_answer: 'its answer was empty',
  cut_answer: 'its answer was cut off',
  bad_answer: 'its answer could not be read',
  too_large: 'its answer was too large',
  max_iterations_reached: 'it came to no end in its turns',
  no_text: 'no text could be read',
  retrieval_failed: 'the look-up of known patterns failed',
  routing_failed: 'the language of the text could not be told',
  not_configured: 'it is not set up',
  address_refused: 'the address may not be asked',
  aborted: 'it was called off',
  crashed: 'the process that asked it died',
};

/** A reason code in words, as part of a sentence; one that is not known here is spelled out. */
export function failureInWords(code: string): string {
  return (Object.hasOwn(WORDS, code) ? WORDS[code] : undefined) ?? code.replaceAll('_', ' ');
}

/** Not the model's own failures: they say by themselves why it was not asked. */
const OF_NO_MODEL = new Set(['no_provider', 'no_text', 'retrieval_failed', 'routing_failed']);

/** Why no answer of a language model was used, as a clause of its own. */
export function whyNoAnswer(code: string): string {
  const words = failureInWords(code);
  return OF_NO_MODEL.has(code) ? words : `the language model gave no usable answer, for ${words}`;
}
