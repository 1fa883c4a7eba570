/** Text about one cause of a degraded verdict. */
interface CauseWords {
  /** Short form for lists: two or three words. */
  short: string;
  sentence: string;
}

/** Every cause of a degraded verdict, by its code in `degradedBy`. */
export const DEGRADED_BY = {
  model_out: {
    short: 'model out',
    sentence: 'The language model could not be used: its provider failed or is unavailable.',
  },
  model_unknown: {
    short: 'model not found',
    sentence: 'The provider does not have the language model that is configured.',
  },
  timeout: { short: 'timeout', sentence: 'The language model did not answer in time.' },
  budget: { short: 'budget', sentence: 'No budget had room for the language model.' },
  unreadable: {
    short: 'answer unreadable',
    sentence:
      'The answer of the language model, or the image of the alert, could not be read well enough to use it.',
  },
  refused: { short: 'model refused', sentence: 'The language model or its provider refused the question.' },
  unfinished: {
    short: 'not finished',
    sentence: 'The language model used up its turns without an answer.',
  },
  lookups_failed: { short: 'look-ups failed', sentence: 'Look-ups were tried and failed.' },
  no_text: { short: 'no text read', sentence: 'No text could be read, so none was judged.' },
  language_unknown: {
    short: 'language unknown',
    sentence: 'The language of the text could not be detected.',
  },
  answer_incomplete: {
    short: 'answer incomplete',
    sentence: 'The answer lacked a part, and a default was taken for it.',
  },
  other_model: {
    short: 'another model answered',
    sentence: 'Another model than the one of the settings answered.',
  },
} as const satisfies Record<string, CauseWords>;

export type DegradedCause = keyof typeof DEGRADED_BY;
