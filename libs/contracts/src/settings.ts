import { z } from 'zod';
import { readByAll, reasoning } from './access/field-class.js';
import { jsonSchema } from './json.js';
import { reasoningSwitchSchema } from './ports/language-model.js';
import { armOfRunSchema, flagDecisionSchema } from './rollout/arm-of-run.js';
import { frozenRecalibrationSchema } from './rollout/recalibration.js';

/**
 * Classes of personal data that are recognised by their form. `national-id`: identity numbers with a check
 * digit (Aadhaar, CPF, codice fiscale, DNI and NIE, NIR, resident identity number of China).
 */
export const PERSONAL_DATA = ['email', 'phone', 'iban', 'card', 'ip', 'national-id'] as const;
export type PersonalData = (typeof PERSONAL_DATA)[number];

/** Personal data that a run replaces by pseudonyms in every request to a model. */
export const maskingSchema = z.object({
  /** Version of the rules that find values. A replay finds values by the rules of its run. */
  rules: z.literal(1),
  personalData: z.array(z.enum(PERSONAL_DATA)),
  /** Patterns of the configuration in RE2 syntax, in order of precedence. */
  patterns: z.array(z.object({ name: z.string(), pattern: z.string() })),
});
export type Masking = z.infer<typeof maskingSchema>;

/** Newest version of the rules that find values. */
export const MASKING_RULES = 1 satisfies Masking['rules'];

/** The provider that returns hand-written answers for the bundled samples. No configuration can name it. */
export const DEMONSTRATION = 'demonstration';

/** Input of a reflection: a prompt text, and cases on which its answers were scored. */
export const reflectionSchema = z.object({
  /** The text, with its sections and placeholders. */
  text: z.string(),
  /** Cases with the answers of the text. All values may have words of strangers. */
  cases: z.array(
    z.object({
      input: z.string(),
      answer: z.string(),
      /** Outcome that people labelled. */
      expected: z.string(),
      score: z.string(),
      /** Claims and citations that a check refuted, and the note of a person. */
      problems: z.array(z.string()),
    }),
  ),
  /** Texts that were made from it before, with the reason for which each was dropped. */
  tried: z.array(z.object({ added: z.string(), reason: z.string() })),
});
export type Reflection = z.infer<typeof reflectionSchema>;

/** Settings of a run, frozen when it is created, so that a replay can repeat the run. */
export const runSettingsSchema = z.object({
  playbook: z.string(),
  playbookVersion: z.string(),
  /** SHA-256 of the files of a kind from outside this release. Default: the kind is shipped with it. */
  kindDigest: z.string().optional(),
  strategy: z.string(),
  policy: z.string(),
  /** Name in the provider table. `none`: rules only. */
  provider: z.string(),
  model: z.string(),
  promptIds: z.record(z.string(), z.string()),
  /** Prompt texts other than the installation's that the run uses. Default: those of the installation. */
  promptTexts: z.array(z.object({ id: z.string(), sha256: z.string() })).optional(),
  tools: z.array(z.string()),
  /** Those of `tools` that search, so that their results are addresses of pages. Default: none. */
  searches: z.array(z.string()).optional(),
  /** Those of `tools` that list deployments, alerts and changes between `start` and `end`. Default: none. */
  timeline: z.array(z.string()).optional(),
  maxRounds: z.number().int().min(1),
  onOutage: z.enum(['fallback', 'later']),
  /** Fallback providers, in order, if the first is unavailable. Default: none. */
  fallbackProviders: z.array(z.string()).optional(),
  /** A model of the same provider to use when a budget has no room for `model`. Default: none. */
  cheaperModel: z.string().optional(),
  /** The model of the same provider for questions of the level `low`. Default: `model`. */
  lowModel: z.string().optional(),
  /**
   * The provider and model that cross-examine, if they are not those of the run. If it is unavailable, the run's own
   * models answer. Default: the run's own.
   */
  examiner: z.object({ provider: z.string(), model: z.string() }).optional(),
  /** Default: the setting of the provider's entry. */
  reasoning: reasoningSwitchSchema.optional(),
  /**
   * false: the verdict is neither delivered nor acted on, whatever the lane. Default: depends on the lane.
   */
  outward: z.boolean().optional(),
  /** The run whose verdict receivers have of the same occurrence. Default: they have none. */
  comparedWithRun: z.string().optional(),
  /**
   * The run whose verdict a person answered. This run is a proposal next to the answer. Default: it is no proposal.
   */
  proposesTo: z.string().optional(),
  /** Whether the alert is an escalation of its case. It is judged as firing, also if a person acted on it. Default: no. */
  isEscalation: z.boolean().optional(),
  /**
   * The storm of the run: the id of the case that is judged for all. `member`: the run takes the verdict of that case.
   * `lead`: the run judges all members. Default: the run judges its alert only.
   */
  storm: z.object({ id: z.string(), role: z.enum(['member', 'lead']) }).optional(),
  /**
   * The run whose record supplies the answers instead of tools and models. Default: tools and models are
   * called. `misses`: if a question has no recorded answer, the run ends (`stop`) or asks its model (`ask`).
   * No tool is ever called.
   */
  recorded: z
    .object({
      run: z.string(),
      /** The first run in a chain of replays. The verdict names it as its run. */
      first: z.string(),
      misses: z.enum(['stop', 'ask']),
      /**
       * `now`: prompts use the texts of this installation. Default: the texts of that run, if no model is
       * called.
       */
      prompts: z.literal('now').optional(),
      /**
       * `new`: models are asked again; only results of tools are read. `same`: recorded failures are repeated too.
       * Default: recorded answers are read, and a recorded failure is asked again if `misses` allows it.
       */
      answers: z.enum(['new', 'same']).optional(),
    })
    .optional(),
  /** The batch or shadow experiment whose budget pays the model calls. Default: none. */
  batch: z.string().optional(),
  /** The run asks a model for another text of a prompt, and does not judge its case. Default: it judges the case. */
  reflection: reasoning(reflectionSchema).optional(),
  /** A message of this release that an evolution adds to the text of the case, to see whether a prompt follows it. Default: none. */
  injected: z.string().optional(),
  /** Evaluation of the flag of an A/B experiment. Default: no experiment of this kind was running. */
  flag: flagDecisionSchema.optional(),
  /** The arm that the settings are of. Default: none. */
  experiment: armOfRunSchema.optional(),
  /**
   * Functions from the stated confidence to that of the verdict, each for one source; the last one for a source
   * counts. Default: the verdict has the stated confidence.
   */
  recalibrations: z.array(frozenRecalibrationSchema).optional(),
  /** Lowest confidence of a verdict that acts or dismisses; below, it needs review. Default: no such limit. */
  actFrom: z.number().min(0).max(1).optional(),
  /** Personal data that models do not see. Default: models see the texts as they are. */
  masking: maskingSchema.optional(),
  /** Thresholds, deadlines and other limits of the playbook, by name. */
  options: readByAll(z.record(z.string(), jsonSchema), 'Limits of the configuration.'),
});
export type RunSettings = z.infer<typeof runSettingsSchema>;
