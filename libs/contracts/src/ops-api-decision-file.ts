import { z } from 'zod';
import { reasoning } from './access/field-class.js';
import { jsonSchema } from './json.js';

/** The only form of decision files so far. */
export const DECISION_FILE_FORMAT = 'casefile-decision-1';

/** One part of the record of a case, with its hash. */
export const decisionRecordSchema = z.strictObject({
  id: z
    .string()
    .describe('Unique in the file and readable: `case`, `runs/ID`, `runs/ID/interactions/ID`, `prompts/ID`.'),
  sha256: z.string().describe('SHA-256 of the canonical JSON (RFC 8785) of the body, hexadecimal.'),
  body: jsonSchema,
});
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;

/**
 * `GET /cases/{caseId}/decision-file`: everything that is on the record of a case, signed, so that it can be
 * verified without the database.
 */
export const decisionFileSchema = reasoning(
  z.strictObject({
    format: z.literal(DECISION_FILE_FORMAT),
    caseId: z.string(),
    exportedAt: z.string(),
    version: z.string().describe('Version of the program that wrote the file.'),
    records: z.array(decisionRecordSchema),
    signature: z.strictObject({
      algorithm: z.literal('ed25519'),
      publicKey: z.string().describe('DER (SubjectPublicKeyInfo) in base64.'),
      value: z
        .string()
        .describe(
          'Base64 of the signature of the canonical JSON of the file without `signature` and without the bodies of its records.',
        ),
    }),
  }),
);
export type DecisionFile = z.infer<typeof decisionFileSchema>;
