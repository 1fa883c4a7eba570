import { z } from 'zod';
import { actBySchema, actIdSchema, actReasonSchema, type Act } from './act.js';
import { reasoning, withheldSchema } from './access/field-class.js';
import { LONGEST_PROMPT_VERSION, PROMPT_STATES, type PromptState } from './ports/rollout.js';

/** A version of a prompt, without its text. */
export const promptVersionSchema = z.object({
  version: z.int(),
  id: z.string().describe('Id with which interactions and verdicts name the text.'),
  state: z
    .enum(PROMPT_STATES)
    .describe('`live`: in force for new runs. `shadow`: a running experiment uses it.'),
  digest: z.string().describe('SHA-256 of the text, hexadecimal.'),
  author: z.string().describe('`shipped`, `folder` (CASEFILE_PROMPTS), or the person who added it.'),
  message: z.string(),
  parent: z.int().nullable().describe('The version that it was made from.'),
  movedBy: z
    .string()
    .nullable()
    .describe('The person who moved it to its state; null: an upgrade may replace it.'),
  unfit: z.string().nullable().describe('Why this release cannot use the text; null: it can.'),
  createdAt: z.string(),
  changedAt: z.string(),
});
export type ShownPromptVersion = z.infer<typeof promptVersionSchema>;

/** `GET /prompts`. */
export const promptListSchema = z.object({
  prompts: z.array(
    z.object({
      playbook: z.string(),
      name: z.string(),
      live: promptVersionSchema.nullable().describe('null: no service that calls models has started yet.'),
      versions: z.int(),
      candidates: z.int().describe('Versions that are candidates.'),
    }),
  ),
  nextCursor: z.string().nullable(),
});
export type PromptList = z.infer<typeof promptListSchema>;

/** `GET /prompts/{playbook}/{name}`. */
export const promptSchema = z.object({
  withheld: withheldSchema,
  playbook: z.string(),
  name: z.string(),
  sections: z
    .array(z.object({ name: z.string(), placeholders: z.array(z.string()) }))
    .describe('What every version must have.'),
  security: z
    .array(z.object({ section: z.string(), sentence: reasoning(z.string()) }))
    .describe('Sentences that every new version must keep, unchanged.'),
  versions: z.array(promptVersionSchema).describe('The newest first.'),
  history: z
    .array(
      z.object({
        actId: z.string(),
        type: z.enum(['prompt.version_added', 'prompt.state_changed']),
        version: z.int(),
        from: z.enum(PROMPT_STATES).nullable(),
        to: z.enum(PROMPT_STATES),
        replaced: z.int().nullable().describe('The version that was live before.'),
        by: z.string(),
        reason: z.string(),
        at: z.string(),
      }),
    )
    .describe('The last 100 acts of people, the newest first.'),
});
export type ShownPrompt = z.infer<typeof promptSchema>;

/** `GET /prompts/{playbook}/{name}/versions/{version}`. */
export const promptTextSchema = promptVersionSchema.extend({
  withheld: withheldSchema,
  text: reasoning(z.string()),
});
export type ShownPromptText = z.infer<typeof promptTextSchema>;

/** Body of `POST /prompts/{playbook}/{name}/versions`. */
export const addPromptVersionSchema = z.strictObject({
  text: z.string().min(1).max(LONGEST_PROMPT_VERSION),
  message: z.string().trim().min(1).max(2_000).describe('Why the text was changed.'),
  by: actBySchema,
  parent: z.int().min(1).optional().describe('The version that the text was made from.'),
  actId: actIdSchema,
});

/** Body of `POST /prompts/{playbook}/{name}/versions/{version}/state`. */
export const movePromptVersionSchema = z.strictObject({
  state: z
    .enum(['candidate', 'live', 'retired'])
    .describe('`live` retires the version that was live. An experiment sets `shadow`.'),
  by: actBySchema,
  reason: actReasonSchema,
  actId: actIdSchema,
});

const lineSchema = z.object({ change: z.enum(['same', 'added', 'removed']), text: reasoning(z.string()) });
export type ComparedLine = z.infer<typeof lineSchema>;

/** Body of `POST /prompts/{playbook}/{name}/render`. */
export const renderPromptSchema = z.strictObject({
  text: z.string().min(1).max(LONGEST_PROMPT_VERSION),
  runId: z.string().max(100).optional().describe('A run that asked this prompt.'),
  caseId: z
    .string()
    .max(100)
    .optional()
    .describe('A case whose newest run asked this prompt. Default: the newest such case.'),
});

/** Response of `POST /prompts/{playbook}/{name}/render`. */
export const renderedPromptSchema = z.object({
  withheld: withheldSchema,
  problems: z
    .array(z.string())
    .describe(
      'Sections, placeholders and security sentences that the text lacks. With one it cannot be added.',
    ),
  caseId: z.string(),
  runId: z.string(),
  promptId: z.string().describe('The text that the run was asked with.'),
  stage: z.string(),
  round: z.int(),
  questions: z.int().describe('Questions of the run with this prompt; the first one is shown.'),
  messages: z
    .array(
      z.object({
        role: z.string(),
        isRendered: z
          .boolean()
          .describe('false: another prompt or a tool made the message, so it is shown as it was sent.'),
        lines: z
          .array(lineSchema)
          .describe('The message with this text. `removed`: lines of the recorded message only.'),
      }),
    )
    .describe('What the model would be asked first.'),
});
export type RenderedPrompt = z.infer<typeof renderedPromptSchema>;

/** `GET /prompts/{playbook}/{name}/diff`. */
export const promptDiffSchema = z.object({
  withheld: withheldSchema,
  from: z.int(),
  to: z.int(),
  same: z.boolean(),
  added: z
    .array(reasoning(z.string()))
    .describe('Sentences of `to` that `from` does not have. Read them before the text becomes live.'),
  lines: z.array(lineSchema),
});
export type PromptDiff = z.infer<typeof promptDiffSchema>;

/** Name of a prompt: the two parts of its id without the version. */
export interface PromptName {
  /** First part of the id: `kind` of `kind/answer@2`. */
  playbook: string;
  name: string;
}

/** A version of a prompt on the record, without its text. `sha256` is the API's field `digest`. */
export interface PromptVersionEntry extends Omit<ShownPromptVersion, 'digest'>, PromptName {
  sha256: string;
}

/** A version with its text. */
export interface PromptVersionText extends PromptVersionEntry {
  text: string;
}

/** A text that this installation ships or reads from its folder. */
export interface InstalledPromptText extends PromptName {
  id: string;
  sha256: string;
  text: string;
  author: 'shipped' | 'folder';
  /** Version number in the id of the declaration. */
  declared: number;
  /** Whether runs of this installation use it. A person may make another version live. */
  inForce: boolean;
}

/** An act on a prompt, for its history. */
export type PromptAct = ShownPrompt['history'][number];

export interface NewPromptVersion extends PromptName, Act {
  id: string;
  sha256: string;
  text: string;
  parent: number | null;
}

export interface PromptMove extends PromptName, Act {
  version: number;
  to: PromptState;
}

/** Versions of prompts on the record. */
export interface PromptVersions {
  /** Lists the versions of all prompts, or of one, by name and version. */
  list(of?: PromptName): Promise<PromptVersionEntry[]>;
  /** Returns a version with its text. null: there is no such version. */
  get(of: PromptName, version: number): Promise<PromptVersionText | null>;
  /** Lists the acts on a prompt, the newest first. */
  history(of: PromptName, limit: number): Promise<PromptAct[]>;
  /**
   * Adds a text as a candidate, in one transaction with its event. A text that is already a version is not
   * added again.
   */
  add(version: NewPromptVersion): Promise<{ version: PromptVersionEntry; added: boolean }>;
  /**
   * Moves a version to a state, in one transaction with its event. A version that becomes live retires the
   * version that was live.
   * @throws CasefileError `not_found`; `conflict` if the move would leave the prompt without a live version
   * or take a version from a running experiment.
   */
  move(move: PromptMove): Promise<PromptVersionEntry>;
  /**
   * Adds the installation's texts as versions. A text in force becomes live unless a person moved the live
   * version.
   * @returns the prompts whose live version a person moved, and whose text in force is another one.
   */
  install(texts: readonly InstalledPromptText[]): Promise<PromptName[]>;
  /** Returns the texts of versions that are not retired, to check them against this release. */
  inUse(): Promise<PromptVersionText[]>;
  /** Notes why this release cannot use a version. null: it can. */
  noteFit(of: PromptName, version: number, unfit: string | null): Promise<void>;
}

/** The text of a prompt. */
export interface KeptPrompt {
  /** The prompt id on the record: with the version, and with a hash if the text is not the shipped one. */
  id: string;
  /** Hash of the text, hexadecimal. */
  sha256: string;
  text: string;
}

/** The texts of all prompts of an installation. */
export interface PromptSet {
  /** Derived from the texts. Equal texts give an equal id. */
  id: string;
  prompts: readonly KeptPrompt[];
}

/** Stored prompt texts, so that a question can be repeated after the prompts have changed. */
export interface PromptSets {
  /** Stores the texts. A text that is already stored stays unchanged. */
  keep(set: PromptSet): Promise<void>;
  /** Returns a set. null: there is no such set. */
  get(id: string): Promise<PromptSet | null>;
  /** Returns the stored texts with these ids and hashes. Unknown ones are left out. */
  texts(keys: readonly Pick<KeptPrompt, 'id' | 'sha256'>[]): Promise<KeptPrompt[]>;
}
