import { z } from 'zod';

/** One act of a person on the audit log. */
export const auditEntrySchema = z.object({
  seq: z.int().describe('Number of the entry, from 1 on without gaps.'),
  at: z.string().describe('When it happened, in UTC with microseconds.'),
  actor: z.string().describe('Who acted, as stated with the act; empty: the act states no name.'),
  act: z.string().describe('Type of the act, such as `review.corrected`.'),
  subject: z.string().nullable().describe('What was acted on, such as `prompt kind/name`; null: the case.'),
  caseId: z.string().nullable(),
  runId: z.string().nullable(),
  eventId: z.string().describe('The event that has the content of the act.'),
  digest: z.string().describe('SHA-256 of the content, hexadecimal.'),
  previous: z.string().describe('Hash of the entry before; of the first one: 64 zeros.'),
  readTo: z
    .string()
    .nullable()
    .describe(
      'Last event that the log had read when the entry was appended. Acts up to it without an entry are missing. null: not recorded.',
    ),
  hash: z.string().describe('SHA-256 of the canonical JSON (RFC 8785) of the fields above.'),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** `GET /audit`. */
export const auditListSchema = z.object({
  entries: z.array(auditEntrySchema),
  nextCursor: z.string().nullable(),
});
export type AuditList = z.infer<typeof auditListSchema>;

/** Text form of a head, `COUNT:HASH`. */
export const auditHeadSchema = z
  .string()
  .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'expected COUNT:HASH, as `casefile audit verify` prints it')
  .describe('COUNT:HASH of an earlier check, to find entries that are missing at the end.');

/** `GET /audit/check`. */
export const auditCheckSchema = z.object({
  count: z.int().describe('Entries of the log.'),
  head: z.string().describe('`COUNT:HASH`. Note it elsewhere, and pass it to a later check.'),
  problems: z.int(),
  findings: z.array(z.string()).describe('The first 100 problems, each with the number of its entry.'),
});
export type ShownAuditCheck = z.infer<typeof auditCheckSchema>;
