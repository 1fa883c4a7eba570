import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';
import { entitiesSchema } from './alert.js';
import { evidenceItemSchema } from './evidence.js';

/** How the image of an alert was read. */
export const imageReadingSchema = z.object({
  /** Text of the image alone; the brief's text holds the alert's own text before it. */
  text: z.string(),
  /** Mean confidence of the OCR, 0..100. */
  confidence: z.number().min(0).max(100),
  /** Sentences on what could not be read. If there are any, a verdict is at least `review`. */
  unread: z.array(z.string()),
  /** Facts about the reading: its confidence, turned pictures, the content of codes. */
  notes: z.array(z.string()),
});
export type ImageReading = z.infer<typeof imageReadingSchema>;

/** The alert made ready for the stages that follow. */
export const briefSchema = z.object({
  /** What the case is about, in plain text; OCR's reading when the alert was an image. */
  text: z.string(),
  textSource: z.enum(['text', 'ocr', 'payload', 'none']),
  /** Mean confidence of the OCR, 0..100, when it was used. */
  ocrConfidence: z.number().min(0).max(100).optional(),
  /** Absent: the alert has no image, or its run was recorded before readings were. */
  image: imageReadingSchema.optional(),
  language: z
    .object({
      code: z.string(),
      certainty: z.number().min(0).max(1),
      /** Reason code of what kept it from being told; absent where nothing failed, whatever the code. */
      failure: z.string().max(100).optional(),
    })
    .optional(),
  /** How the playbook treats it, chosen at triage where there is a choice. */
  mode: z.string().max(40).optional(),
  /** The payload as the playbook made it ready, where its kind of case is more than a text. */
  input: jsonObjectSchema.optional(),
  /** The conversation it belongs to, by the sender's id and the sender's name where it gave one. */
  conversation: z.object({ id: z.string(), source: z.string() }).optional(),
  entities: entitiesSchema,
  /** Evidence that came with the alert, ids `E1`... in its order. */
  given: z.array(evidenceItemSchema),
  /** May the tools be asked? */
  collect: z.boolean(),
  receivedAt: z.string(),
  /** Things worth a reader's notice: obfuscations undone, hidden characters, an unreadable image. */
  notes: z.array(z.string()),
});
export type Brief = z.infer<typeof briefSchema>;
