import { cursorField, limitField } from './list-query.js';
import { z } from 'zod';
import { caseErasureSchema, ERASABLE_CLASSES } from './erasure.js';

/** Cases that one request names. */
export const MOST_NAMED_CASES = 2_000;

const classesSchema = z
  .array(z.enum(ERASABLE_CLASSES))
  .min(1)
  .describe(
    '`message`: the alert and all text of the case, which can quote it. `evidence`: results of tools and what can quote them. `prompts`: requests to models, answers and reasoning. `images`: image files.',
  );

/** `POST /erasures`. */
export const eraseSchema = z
  .strictObject({
    caseIds: z.array(z.uuid()).min(1).max(MOST_NAMED_CASES).optional(),
    subject: z
      .string()
      .trim()
      .min(3, 'expected at least 3 characters')
      .max(500)
      .optional()
      .describe('A phone number, mail address, domain or text: every case in which it occurs.'),
    classes: classesSchema.optional().describe('Default: all.'),
    dryRun: z.boolean().optional().describe('Only count. Default: false.'),
    by: z.string().trim().min(1).max(200),
    reason: z.string().trim().min(1).max(1_000).describe('Stays on the record: without personal data.'),
    id: z.uuid().optional().describe('Of the erasure; repeating a request with it changes nothing.'),
  })
  .refine(({ caseIds, subject }) => (caseIds === undefined) !== (subject === undefined), {
    error: 'expected either caseIds or subject',
  });

const blockedSchema = z.object({
  caseId: z.string(),
  why: z.string().describe('The work that has to end first.'),
});

export const erasurePreviewSchema = z.object({
  cases: z.int(),
  blocked: z.array(blockedSchema).describe('The first 100 cases with open work.'),
  blockedCases: z.int(),
  places: z.array(
    z.object({
      place: z.string().describe('Table and column.'),
      classes: z.array(z.enum(ERASABLE_CLASSES)),
      rows: z.int(),
    }),
  ),
  deadLetters: z.int().describe('Dead letters that contain the subject. They are deleted.'),
  prompts: z.array(z.string()).describe('Prompt versions that contain the subject. They are kept.'),
});

const erasureSchema = z.object({
  id: z.string(),
  subject: z
    .string()
    .nullable()
    .describe('Keyed SHA-256 of the subject, hexadecimal; null: cases were named.'),
  classes: z.array(z.enum(ERASABLE_CLASSES)),
  by: z.string(),
  reason: z.string(),
  at: z.string(),
  total: z.int().describe('Cases.'),
  erased: z.int(),
  blocked: z.int().describe('Cases with open work. They are erased when it has ended.'),
  endedAt: z.string().nullable().describe('null: cases wait or are blocked.'),
});
export type ShownErasure = z.infer<typeof erasureSchema>;

/** Answer of `POST /erasures`. */
export const requestedErasureSchema = z.object({
  id: z.string().nullable().describe('null: nothing was requested, because of `dryRun` or without a case.'),
  preview: erasurePreviewSchema,
});

/** `GET /erasures`. */
export const erasureListSchema = z.object({
  erasures: z.array(erasureSchema),
  nextCursor: z.string().nullable(),
});

/** `GET /erasures/{erasureId}`. */
export const erasureDetailSchema = erasureSchema.extend({
  blockedCases: z.array(blockedSchema).describe('The first 100 cases with open work.'),
});
export type ShownErasureDetail = z.infer<typeof erasureDetailSchema>;

/** An erasure of one case, as `GET /erased-cases` lists it. */
export const erasedCaseSchema = caseErasureSchema.extend({ caseId: z.uuid() });
export type ErasedCase = z.infer<typeof erasedCaseSchema>;

/** `GET /erased-cases`. */
export const erasedCaseListSchema = z.object({
  erased: z.array(erasedCaseSchema),
  nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
});

/** Query of `GET /erased-cases`. */
export const erasedCaseQuerySchema = z.object({
  cursor: cursorField(),
  limit: limitField(1_000, 500),
});
