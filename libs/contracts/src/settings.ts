import { z } from 'zod';
import { jsonSchema } from './json.js';
import { reasoningSwitchSchema } from './ports/language-model.js';

/** The provider that plays hand-written answers for the bundled samples; no configuration can name it. */
export const DEMONSTRATION = 'demonstration';

/** A run's settings, frozen when it is created: what a replay needs to do the same again. */
export const runSettingsSchema = z.object({
  playbook: z.string(),
  playbookVersion: z.string(),
  strategy: z.string(),
  policy: z.string(),
  /** Name in the provider table; `none` means heuristics only. */
  provider: z.string(),
  model: z.string(),
  promptIds: z.record(z.string(), z.string()),
  tools: z.array(z.string()),
  maxRounds: z.number().int().min(1),
  onOutage: z.enum(['fallback', 'later']),
  /** Providers to turn to, in this order, when the first is out; absent: none. */
  fallbackProviders: z.array(z.string()).optional(),
  /** The model of the same provider that is asked when a budget has no room for `model`; absent: none. */
  cheaperModel: z.string().optional(),
  /** The model for questions of the level `low`, of the same provider; absent: `model` answers them too. S2-07. */
  lowModel: z.string().optional(),
  /** Absent: as the provider's entry says. S2-07. */
  reasoning: reasoningSwitchSchema.optional(),
  /** false: its verdict is neither delivered nor acted on, whatever the lane. Absent: as its lane says. */
  outward: z.boolean().optional(),
  /**
   * The run whose record is read in place of asking tools, and models; absent: everything is asked. `misses`: a question whose
   * answer is not on that record ends the run (`stop`), or is put to the run's model (`ask`); no tool is ever asked.
   */
  recorded: z
    .object({
      run: z.string(),
      /** The first of the runs that were read from one another: what the verdict names as its run. */
      first: z.string(),
      misses: z.enum(['stop', 'ask']),
      /** `now`: prompts are rendered from the texts of this installation. Absent: from those of that run, where no model is asked. */
      prompts: z.literal('now').optional(),
    })
    .optional(),
  /** The batch that it is judged again with, on whose budget its model calls are; absent: none. */
  batch: z.string().optional(),
  /** How answers of models are read. Default: 1, as the first releases read them. */
  answerReading: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  /** How alerts and search results are read. Default: 1, as the first releases read them. */
  inputReading: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  /** Thresholds, deadlines and other figures of the playbook, by name. */
  options: z.record(z.string(), jsonSchema),
});
export type RunSettings = z.infer<typeof runSettingsSchema>;

/**
 * How answers of models are read. A run is frozen with the version of its day, and a replay reads a recorded answer as it
 * was read then. 1: the first object of an answer, each part in its own type. 2: the last object that fits, with figures,
 * choices and lists that came as texts, or an answer in the field of the reasoning. 3: as 2, and a call that should end a
 * loop of turns, does not fit and is repeated word for word ends the loop.
 */
export type AnswerReading = 1 | 2 | 3;
export const ANSWER_READING = 3 satisfies AnswerReading;

/** Returns the reading of answers that a run was frozen with. Default: 1. */
export function readingOf({ answerReading }: { answerReading?: AnswerReading | undefined }): AnswerReading {
  return answerReading ?? 1;
}

/**
 * The rules by which a playbook reads its input: the shapes of search results, the language of a question, the ends of sentences.
 * A run is frozen with the newest version, and a replay reads the same input by the version of its run. 1: the rules of the first
 * releases. 2: results in the shapes of more senders, language by script, sentences with ordinals and abbreviations. 3: the country
 * of a phone number by the sender and the language of the text; attachments of mails.
 */
export type InputReading = 1 | 2 | 3;
export const INPUT_READING = 3 satisfies InputReading;

/** Returns the reading of input that a run was frozen with. Default: 1. */
export function inputReadingOf({ inputReading }: { inputReading?: InputReading | undefined }): InputReading {
  return inputReading ?? 1;
}
