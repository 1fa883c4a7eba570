import { z } from 'zod';
import { personal, withheldSchema } from './access/field-class.js';
import { jsonObjectSchema } from './json.js';

/** Limits of one import. */
export const IMPORT_LIMITS = {
  /** Maximum size of one file, and of all files that are parsed together, in bytes. */
  fileBytes: 64 * 1024 * 1024,
  /** Maximum number of entries (reports, patterns, values of a feed) in one file. */
  entries: 500_000,
  /** Maximum number of JSON values (strings, numbers, objects, arrays ...) in one file of entries. */
  values: 5_000_000,
  /** Maximum number of wrong lines and fields that are reported. */
  problems: 1_000,
  /** Maximum total size of all files, in bytes. */
  totalBytes: 256 * 1024 * 1024,
  files: 10_000,
} as const;

export const IMPORT_STATES = ['receiving', 'waiting', 'running', 'done', 'failed'] as const;

/** One line of an import's result. */
export const importLineSchema = z.object({
  kind: z
    .enum(['result', 'failure', 'note'])
    .describe('`result`: imported; `failure`: not imported, and why; `note`: information meanwhile.'),
  line: personal(z.string()).describe('For people.'),
  json: personal(jsonObjectSchema.nullable()).describe('The same for programs; null for a note.'),
});
export type ImportLine = z.infer<typeof importLineSchema>;

export const importProgressSchema = z.object({
  what: z.string().describe('The part of the import that is running: `importing`, `embedding`.'),
  done: z.number(),
  total: z.number(),
});
export type ImportProgress = z.infer<typeof importProgressSchema>;

/** Reason for the failure of a whole import. */
export const importProblemSchema = z.object({
  reasonCode: z.string(),
  detail: personal(z.string()),
  errors: personal(z.array(z.object({ path: z.string(), message: z.string() })))
    .optional()
    .describe('The wrong lines and fields (the first 1,000), if the content is not valid.'),
});
export type ImportProblem = z.infer<typeof importProblemSchema>;

/** `GET /imports/{importId}`. */
export const importStateSchema = z.object({
  withheld: withheldSchema,
  importId: z.string(),
  kind: z.string().describe('The knowledge base: `policy`, `runbooks`, ...'),
  source: z.string().nullable().describe('The file, folder or address, as the client named it.'),
  state: z
    .enum(IMPORT_STATES)
    .describe('`receiving`: files are still being sent; `waiting`: for an evidence-collector.'),
  attempt: z
    .int()
    .describe(
      'Number of times that a worker started the import, also after a crash. Each attempt starts with empty lines.',
    ),
  progress: importProgressSchema.nullable(),
  lines: z.array(importLineSchema),
  complete: z
    .boolean()
    .nullable()
    .describe('Whether everything was imported; if not, `failure` lines name the rest. null: not finished.'),
  problem: importProblemSchema.nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  doneAt: z.string().nullable(),
});
export type ImportState = z.infer<typeof importStateSchema>;

/** `GET /imports`. */
export const importListSchema = z.object({
  withheld: withheldSchema,
  imports: z.array(importStateSchema.omit({ lines: true, withheld: true })),
  nextCursor: z.null().describe('Always null: the list has the newest 50.'),
});
export type ImportList = z.infer<typeof importListSchema>;
export type ListedImport = ImportList['imports'][number];

/** Response of `POST /imports/{kind}`. */
export const acceptedImportSchema = z.object({ importId: z.string() });
export type AcceptedImport = z.infer<typeof acceptedImportSchema>;

/** The form of `POST /imports/{kind}`, without its files. */
export const importFormSchema = z.object({
  source: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('File, folder or address, as the user names it. Default: the name of the only file.'),
  origin: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('Identifies the source between imports, for example its absolute path. Default: `source`.'),
  options: jsonObjectSchema.default({}).describe('As the command `casefile import` takes them.'),
});
