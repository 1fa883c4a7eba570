import { z } from '@casefile/contracts';
import { phoneRegions } from '@casefile/pipeline/entities/phone-regions';
import { defineOptions, toolWaitOption } from '@casefile/pipeline/options';
import { MOST_PLANTED, PLANTED_BY_DEFAULT } from '@casefile/pipeline/parts/planted-claims';
import { pastCasesOption } from '@casefile/pipeline/past-cases';
import { ENGAGE_FROM } from '@casefile/pipeline/text-signals/weigh-text';

/** Option with a threshold of confidence from 0 to 1. */
const from = (value: number) => z.number().min(0).max(1).default(value);
const flags = (value: number) => z.number().int().min(0).default(value);
const similarity = z.number().min(0).max(1);
const levels = z.object({ highFrom: similarity.optional(), mediumFrom: similarity.optional() });
type Levels = z.infer<typeof levels>;
const inOrder = ({ highFrom = 1, mediumFrom = 0 }: Levels) => mediumFrom <= highFrom;
const OUT_OF_ORDER = { path: ['mediumFrom'], message: 'expected at most highFrom' };

/** All options of message-screening. Configuration refuses any other name. */
export const options = defineOptions(
  'message-screening',
  z
    .strictObject({
      /** Time for the question, its repair and its examination together, in milliseconds. */
      deadlineMs: z.number().int().min(100).max(600_000).default(10_000),
      /** Longest wait for one round of look-ups, in milliseconds. Those without an answer count as failed. */
      toolWaitMs: toolWaitOption(20_000),
      /** BCP 47 codes of languages that are judged in mode `normal`. All others are judged in `strict`. */
      normalLanguages: z.array(z.string().min(1)).default(['en', 'hi', 'hi-Latn']),
      /** Certainty, 0 to 1, below which the language counts as undetermined. */
      minCertainty: from(0.45),
      /**
       * Countries (ISO 3166), the likeliest first, in which a phone number without a country code is read if
       * neither the sender nor the language of the text indicates its country.
       */
      phoneRegions,
      /** Age in days from which the registration clears a domain of low risk, as in scam-verdict. */
      domainClearedFromDays: z.number().int().min(1).default(365),
      /** Whether a second question to a model tests a conclusion that the rules do not reach. */
      crossExamine: z.boolean().default(true),
      /** False claims that are planted in an examination to test the examiner. */
      plantedClaims: z.number().int().min(0).max(MOST_PLANTED).default(PLANTED_BY_DEFAULT),
      pastCases: pastCasesOption,
      normalEngageFrom: from(ENGAGE_FROM),
      normalProbeFrom: from(0.5),
      strictEngageFrom: from(0.85),
      strictProbeFrom: from(0.7),
      strictEngageFlags: flags(3),
      strictProbeFlags: flags(2),
      /** Number of known patterns that the model is shown. */
      matches: z.number().int().min(3).max(5).default(5),
      /**
       * What judges after a failure of the model: `ignore` (nothing judges) or the rules. Default: nothing
       * judges.
       */
      onFailure: z.enum(['ignore', 'rules']).optional(),
      /**
       * Similarities from which a match is called HIGH and MEDIUM, for every embedder. Default: the shipped
       * ones of the embedder.
       */
      ...levels.shape,
      /**
       * The same by embedder: the name of its model, or `words` for languages that are searched by words
       * only.
       */
      levels: z.record(z.string().min(1).max(200), levels.strict().refine(inOrder, OUT_OF_ORDER)).optional(),
    })
    .refine(inOrder, OUT_OF_ORDER),
);
export type ScreeningOptions = ReturnType<typeof options.read>;
