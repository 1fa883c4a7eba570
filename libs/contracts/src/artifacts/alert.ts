import { z } from 'zod';
import { personal } from '../access/field-class.js';
import { INTAKE_LANES } from '../job.js';
import { jsonObjectSchema } from '../json.js';
import { instantSchema } from '../times.js';
import { givenEvidenceSchema } from './evidence.js';

/** Entity types that the shipped playbooks extract. The set is open: senders may use others. */
export const ENTITY_TYPES = ['phone', 'email', 'url', 'domain', 'crypto', 'payment'] as const;

/** All values per entity type, in order of appearance, without repeats. */
export const entitiesSchema = z.record(
  z.string().min(1).max(64),
  z.array(z.string().min(1).max(2048)).max(200),
);
export type Entities = z.infer<typeof entitiesSchema>;

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Maximum size of an alert's image file. A photo from a phone has 2 to 5 MB. */
export const MAX_IMAGE_BYTES = 12_000_000;

export const imageSchema = z.object({
  mediaType: z.enum(IMAGE_TYPES),
  base64: z.string().min(1),
});
export type AlertImage = z.infer<typeof imageSchema>;

/**
 * An alert as the sender posts it (`POST /v1/alerts`, queue `alerts`). Unknown keys are kept. The playbook
 * checks its own rules on `payload`; the intake checks sizes and characters.
 */
const alertFields = z
  .object({
    playbook: z.string().min(1).max(100).optional(),
    text: personal(z.string().max(1_000_000)).optional(),
    image: personal(imageSchema).optional(),
    payload: personal(jsonObjectSchema).optional(),
    entities: personal(entitiesSchema).optional(),
    evidence: personal(z.array(givenEvidenceSchema).max(500)).optional(),
    /** false: no tools are called, and only the supplied evidence counts. */
    collect: z.boolean().optional(),
    source: z.string().max(200).optional(),
    /** The sender's id of the conversation. Alerts of one conversation share an engagement session. */
    conversation: personal(
      z
        .string({ error: 'expected 1 to 200 characters' })
        .min(1, { error: 'expected 1 to 200 characters' })
        .max(200, { error: 'expected 1 to 200 characters' }),
    ).optional(),
    labels: personal(z.record(z.string().max(100), z.string().max(1000))).optional(),
    receivedAt: instantSchema.optional(),
  })
  .catchall(personal(z.unknown()));
export const alertInputSchema = alertFields.refine(
  (a) => hasText(a.text) || a.image !== undefined || a.payload !== undefined,
  {
    message: 'expected at least one of text, image, payload',
  },
);
export type AlertInput = z.infer<typeof alertInputSchema>;

/** The method by which the playbook of an alert was chosen. */
export const chosenBySchema = z.object({
  rule: z
    .enum(['name', 'setting', 'entrance', 'request', 'content', 'order'])
    .describe(
      '`name`: the alert names it. `setting`: a setting names it. `entrance`: the URL that it was posted to. `request`: the text asks for it in reserved words. `content`: the kind recognised the content. `order`: the first kind in order that can judge such an alert.',
    ),
  why: z.string().describe('For people.'),
  /** Kinds that recognise a part of the content as well. */
  others: z.array(z.string()).optional(),
});
export type ChosenBy = z.infer<typeof chosenBySchema>;

/** An accepted alert on the record. */
export const alertSchema = alertFields.extend({
  id: z.string(),
  playbook: z.string(),
  /**
   * Method by which the playbook was chosen. Default: the alert names it, or an earlier release accepted it.
   */
  chosenBy: chosenBySchema.optional(),
  receivedAt: z.string(),
});
export type Alert = z.infer<typeof alertSchema>;

/** The query of `POST /alerts`, at the intake and at the console. */
export const submitQuerySchema = z.object({
  again: z
    .enum(['true', 'false', 'key'], { error: 'expected one of true, false, key' })
    .optional()
    .describe(
      '`true`: judge it again, whatever the last verdict of its case is. `key`: also the case that this `Idempotency-Key` opened, of a kind whose repeats do not join one case.',
    ),
  lane: z
    .enum(INTAKE_LANES, { error: `expected one of ${INTAKE_LANES.join(', ')}` })
    .optional()
    .describe('`batch`: low priority, yields to live work. Default: `live`.'),
  dataset: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Judges the alert to check or to measure: in a case of its own under this name, in the lane `batch`. Lists leave the case out, and its verdict is not delivered.',
    ),
  strategy: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only with `dataset`: the strategy to use. Default: that of the kind of case.'),
});
export type SubmitQuery = z.infer<typeof submitQuerySchema>;

function hasText(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}
