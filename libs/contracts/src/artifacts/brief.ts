import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';
import { chosenBySchema, entitiesSchema } from './alert.js';
import { evidenceItemSchema } from './evidence.js';
import { mailReadingSchema } from './mail.js';

/** The text of an alert's image, with the quality of the reading. */
export const imageReadingSchema = z.object({
  /** Text of the image only. The brief's text contains the alert's own text before it. */
  text: z.string(),
  /** Mean confidence of the OCR, 0..100. */
  confidence: z.number().min(0).max(100),
  /** Sentences about unreadable parts. If there are any, the disposition cannot be `dismiss`. */
  unread: z.array(z.string()),
  /** Facts about the reading: its confidence, turned pictures, the content of codes. */
  notes: z.array(z.string()),
});
export type ImageReading = z.infer<typeof imageReadingSchema>;

/** The alert, prepared for the stages that follow. */
export const briefSchema = z.object({
  /** Subject of the case in plain text. For an image: the text that OCR read. */
  text: z.string(),
  textSource: z.enum(['text', 'ocr', 'payload', 'none']),
  /** Mean confidence of the OCR, 0..100, if it was used. */
  ocrConfidence: z.number().min(0).max(100).optional(),
  /** Undefined: the alert has no image, or the run predates this field. */
  image: imageReadingSchema.optional(),
  /** Undefined: the alert is no mail, or the run predates this field. */
  mail: mailReadingSchema.optional(),
  language: z
    .object({
      code: z.string(),
      certainty: z.number().min(0).max(1),
      /** Reason code if the language detection failed. */
      failure: z.string().max(100).optional(),
    })
    .optional(),
  /** Mode of the playbook, chosen at triage if the playbook has several. */
  mode: z.string().max(40).optional(),
  /** The payload as the playbook prepared it, if cases of this playbook consist of more than a text. */
  input: jsonObjectSchema.optional(),
  /** The conversation of the alert: the sender's id, and the sender's name if known. */
  conversation: z.object({ id: z.string(), source: z.string() }).optional(),
  /** Method by which the playbook was chosen. Default: the alert names it. */
  chosenBy: chosenBySchema.optional(),
  entities: entitiesSchema,
  /** Evidence that came with the alert, ids `E1`... in its order. */
  given: z.array(evidenceItemSchema),
  /** Whether tools may be called. */
  collect: z.boolean(),
  receivedAt: z.string(),
  /** Notes for the reader: decoded obfuscations, hidden characters, an unreadable image. */
  notes: z.array(z.string()),
});
export type Brief = z.infer<typeof briefSchema>;
