import { z } from '@casefile/contracts';
import { phoneRegions } from '../../entities/phone-regions.js';
import { defineOptions } from '../../options.js';
import { ENGAGE_FROM } from '../../text-signals/weigh-text.js';

/** Confidences are 0..1, flags are counted. S3-40, S3-43. */
const from = (value: number) => z.number().min(0).max(1).default(value);
const flags = (value: number) => z.number().int().min(0).default(value);
const similarity = z.number().min(0).max(1);
const levels = z.object({ highFrom: similarity.optional(), mediumFrom: similarity.optional() });
type Levels = z.infer<typeof levels>;
const inOrder = ({ highFrom = 1, mediumFrom = 0 }: Levels) => mediumFrom <= highFrom;
const OUT_OF_ORDER = { path: ['mediumFrom'], message: 'expected at most highFrom' };

/** Everything of message-screening that configuration may set; a name that is none of these is a mistake. */
export const options = defineOptions(
  'message-screening',
  z
    .strictObject({
      /** For the question and its repair together, in milliseconds. */
      deadlineMs: z.number().int().min(100).max(600_000).default(10_000),
      /** BCP 47 codes of languages that are judged in mode `normal`; every other one in `strict`. */
      normalLanguages: z.array(z.string().min(1)).default(['en', 'hi', 'hi-Latn']),
      /** Below this the language counts as undetermined, 0..1. */
      minCertainty: from(0.45),
      /**
       * Countries (ISO 3166) in which a phone number without a country code is read, the likeliest first, if neither the
       * sender nor the language of the text tells its country.
       */
      phoneRegions,
      normalEngageFrom: from(ENGAGE_FROM),
      normalProbeFrom: from(0.5),
      strictEngageFrom: from(0.85),
      strictProbeFrom: from(0.7),
      strictEngageFlags: flags(3),
      strictProbeFlags: flags(2),
      /** Known patterns that the model is shown. S3-10. */
      matches: z.number().int().min(3).max(5).default(5),
      /** What judges after a failure of the model: nothing (where it is absent, S3-41), or the rules. */
      onFailure: z.enum(['ignore', 'rules']).optional(),
      /** Similarities from which a match is called HIGH and MEDIUM, whatever the embedder; else those it is shipped with. S3-11. */
      ...levels.shape,
      /** The same by embedder: its model's name, or `words` for languages that are looked up by words alone. S3-14. */
      levels: z.record(z.string().min(1).max(200), levels.strict().refine(inOrder, OUT_OF_ORDER)).optional(),
    })
    .refine(inOrder, OUT_OF_ORDER),
);
export type ScreeningOptions = ReturnType<typeof options.read>;
