import { z } from 'zod';
import type { ImportCommand } from './import-command.js';
import type { Clock } from '../ports/clock.js';

/** A version of a runbook, without its text. */
export const runbookVersionSchema = z.object({
  name: z.string().describe('Name in rules and alerts: letters, digits and dashes.'),
  version: z.int().describe('From 1.'),
  title: z.string(),
  pin: z
    .string()
    .describe(
      'Version of the content: `sha256:<hex>` of the file or page, or `git:<commit>` it was read at.',
    ),
  source: z.string().describe('The file or address it was read from.'),
  address: z
    .string()
    .nullable()
    .describe(
      'URL of the runbook for people and for `runbook_url` of alerts; null: the runbook has only a file.',
    ),
  alerts: z.array(z.string()).describe('Types of alerts that the runbook applies to.'),
  labels: z.record(z.string(), z.string()).describe('Labels of alerts that the runbook applies to.'),
  characters: z.int().describe('Of its text.'),
  importedAt: z.string(),
});
export type RunbookVersion = z.infer<typeof runbookVersionSchema>;

/** A rule that selects a runbook. If it has labels and alerts, both must match. */
export const runbookRuleViewSchema = z.object({
  from: z
    .enum(['settings', 'front matter', 'name'])
    .describe(
      'Where the rule is: in the configuration, in the runbook, or in the name of its file or its heading.',
    ),
  labels: z.record(z.string(), z.string()),
  alerts: z.array(z.string()).describe('Types of alerts; none: any.'),
});
export type RunbookRuleView = z.infer<typeof runbookRuleViewSchema>;

const leadingTo = {
  rules: z.array(runbookRuleViewSchema).describe('That lead to it.'),
  isDefault: z.boolean().describe('Whether it is used if no rule matches.'),
};
export const listedRunbookSchema = runbookVersionSchema.extend(leadingTo);
export type ListedRunbook = z.infer<typeof listedRunbookSchema>;

/** `GET /runbooks`. */
export const runbookListSchema = z.object({
  runbooks: z
    .array(listedRunbookSchema)
    .describe('The current version of each, in the order of their names.'),
});
export type RunbookList = z.infer<typeof runbookListSchema>;

/** `GET /runbooks/{name}`. */
export const runbookDocumentSchema = z.object({
  name: z.string(),
  currentVersion: z.int().nullable().describe('null: its source no longer has it.'),
  ...leadingTo,
  versions: z
    .array(runbookVersionSchema.extend({ text: z.string().describe('Markdown, without front matter.') }))
    .describe('All versions: the current one first, then the newest.'),
});
export type RunbookDocument = z.infer<typeof runbookDocumentSchema>;

/** `POST /runbooks/match`. */
export const matchRunbooksSchema = z.object({
  alerts: z
    .array(
      z.object({
        labels: z.record(z.string(), z.string()).default({}),
        annotations: z.record(z.string(), z.string()).default({}),
      }),
    )
    .min(1)
    .max(1_000)
    .describe('Alerts as their sender has them; the label `alertname` is the type of an alert.'),
});

/** The runbook for an alert. */
export const runbookMatchSchema = z.object({
  alertType: z.string().describe('The label `alertname`; empty: the alert has none.'),
  found: z.boolean(),
  why: z.string().describe('The rule that matched, or why none matched: plain sentences.'),
  name: z
    .string()
    .nullable()
    .optional()
    .describe('null: the page that the `runbook_url` of the alert leads to. Absent: none was found.'),
  title: z.string().optional(),
  source: z.string().optional().describe('The file or address it was read from.'),
  pin: z.string().optional().describe('Absent: the page is read when an alert is judged.'),
  ambiguous: z.array(z.string()).optional().describe('Other runbooks that match equally well.'),
  by: z.enum(['url', 'labels', 'alert type', 'name', 'default']).optional(),
});
export type RunbookMatchAnswer = z.infer<typeof runbookMatchSchema>;

export const runbookMatchListSchema = z.object({
  matches: z.array(runbookMatchSchema).describe('In the order of the alerts.'),
});
export type RunbookMatchList = z.infer<typeof runbookMatchListSchema>;

/** Returns the search criteria for a runbook, taken from an alert in its sender's format. */
export function runbookQuestionOf({
  labels,
  annotations,
}: z.infer<typeof matchRunbooksSchema>['alerts'][number]): RunbookQuestion {
  const url = annotations['runbook_url'];
  return { labels, alertType: labels['alertname'] ?? '', ...(url === undefined ? {} : { url }) };
}

/** Read access to runbooks for people. */
export interface RunbookShelf {
  listRunbooks(): Promise<ListedRunbook[]>;
  /** Returns a runbook, even if its source no longer has it. null: there never was one with this name. */
  getRunbook(name: string): Promise<RunbookDocument | null>;
  /**
   * Returns the runbook per alert, using only runbooks that were imported or read before. No source and no
   * page is read for this.
   */
  matchRunbooks(questions: readonly RunbookQuestion[]): Promise<RunbookMatchAnswer[]>;
}

/** Search criteria for a runbook. */
export interface RunbookQuestion {
  labels: Readonly<Record<string, string>>;
  alertType: string;
  /** The annotation `runbook_url` of the alert: any text, from any sender. */
  url?: string;
}

export type RunbookRuleKind = 'url' | 'labels' | 'alert type' | 'name' | 'default';

/** The runbook of an alert, or why there is none. */
export type RunbookAnswer =
  | {
      found: true;
      title: string;
      /** Markdown, without front matter. */
      text: string;
      /** The file or URL it was read from. */
      source: string;
      /** `sha256:<hex>` or `git:<commit>`. */
      pin: string;
      /** The rule that found it, in plain sentences. */
      why: string;
      /** Names of others that match equally well. */
      ambiguous: string[];
      by: RunbookRuleKind;
      /** null: a page that the alert links to, which is no runbook of the knowledge base. */
      name: string | null;
    }
  | { found: false; why: string };

/** Search for runbooks. */
export interface Runbooks {
  /**
   * Returns the runbook for an alert: by its `runbook_url`, else by labels, by alert type, by name, else the
   * default runbook.
   * @throws CasefileError if the matching runbook cannot be read and there is no readable default. The reason
   * is that of the matching one; `unknown_runbook` if it was never imported.
   */
  findRunbook(
    question: RunbookQuestion,
    context: { signal: AbortSignal; clock: Clock },
  ): Promise<RunbookAnswer>;
}

export const RUNBOOKS_IMPORT: ImportCommand = {
  name: 'runbooks',
  description:
    'import runbooks: each Markdown file separately; runbooks that the source no longer has are removed from searches',
  argument: [
    '<source>',
    'a folder or a file, the address of a page, or of a Git repository (https://host/books.git)',
  ],
  options: [
    { flags: '--git', description: 'the address is that of a Git repository, whatever it ends in' },
    { flags: '--ref <name>', description: 'of a repository: its branch or tag; without it, its HEAD' },
    { flags: '--path <folder>', description: 'of a repository: the folder in it' },
    {
      flags: '--pages <address>',
      description: 'address under which people read the files, as alerts name them',
    },
  ],
  folder: ['.md', '.markdown'],
  address: true,
  json: 'print one JSON object per runbook',
};
