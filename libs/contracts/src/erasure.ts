import { z } from 'zod';
import type { Json, JsonObject } from './json.js';
import { cursorField, limitField } from './list-query.js';
import type { Queue } from './ports/queue.js';

/**
 * Classes of content that can be erased. `message`: the alert, and everything that can quote it, which is all
 * text of the case. `evidence`: results of tools, and everything that can quote them. `prompts`: requests to
 * models, their answers and their reasoning. `images`: the image files.
 */
export const ERASABLE_CLASSES = ['message', 'evidence', 'prompts', 'images'] as const;
export type ErasableClass = (typeof ERASABLE_CLASSES)[number];

/** Replacement of erased content. */
export const tombstoneSchema = z.object({
  erased: z.literal(true),
  at: z.string(),
  by: z.string(),
  reason: z.string(),
  digest: z
    .string()
    .describe('SHA-256 over the key of the installation and the SHA-256 of the content, hexadecimal.'),
});
export type Tombstone = z.infer<typeof tombstoneSchema>;

/** Returns whether a body was erased. */
export function isErased(body: unknown): boolean {
  return typeof body === 'object' && body !== null && (body as JsonObject)['erased'] === true;
}

/** An erasure of a case. */
export const caseErasureSchema = z.object({
  at: z.string(),
  by: z.string(),
  reason: z.string(),
  classes: z.array(z.enum(ERASABLE_CLASSES)),
});
export type CaseErasure = z.infer<typeof caseErasureSchema>;

/** Returns a sentence on an erasure, for people. */
export function erasureSentence({ at, by, reason, classes }: CaseErasure): string {
  return `Erased on ${at.slice(0, 10)} by ${by} (${reason}): ${classes.join(', ')}.`;
}

/** Fields whose value is an id, a code or a time, as Casefile or a person of the team wrote it. */
const KEPT = new Set(
  `by caller editedBy actId answerId caseId runId id unit stage tool toolCallId interactionId reasonCode provider
  model status state disposition method action lane promptId promptIds prompts letterId batchId replaces undoes event
  experiment experimentId arm flag variant part assignee until foundAt at decidedAt person
  confidenceSource degradedBy riskLevel severity ruling mode language category combine kind digest erasureId
  finishReason route seed proof playbook strategy source sourceRun fallbackReason code readFrom signal name`
    .split(/\s+/)
    .filter((key) => key !== 'name' && key !== 'source' && key !== 'signal'),
);
/** Names of people of the team. */
const NAMES = new Set(['by', 'caller', 'editedBy', 'person', 'assignee']);
/** Objects whose keys are content. */
const OPAQUE = new Set(['payload', 'entities', 'labels', 'args', 'result', 'input', 'request', 'answer']);
/** An address of a person. Versions such as `name@1.2` are none. */
const ADDRESS = /@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;
const CODE = /^[A-Za-z0-9][\w.:/#@+-]{0,127}$/;

/**
 * Returns a JSON value without text: numbers, booleans, ids, codes and times stay, every other string is empty.
 * Objects keep their keys, so that readers find the fields they expect; lists of texts are empty.
 */
export function withoutText(value: Json, key = ''): Json {
  if (typeof value === 'string') return keptText(value, key) ? value : '';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.filter((one) => typeof one !== 'string' || keptText(one, key));
    return items.map((one) => withoutText(one, key));
  }
  if (OPAQUE.has(key)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutText(one, name)]));
}

function keptText(text: string, key: string): boolean {
  if (!KEPT.has(key) && !(key === 'citations' && /^[A-Z]\d{1,6}$/.test(text))) return false;
  return NAMES.has(key) || (CODE.test(text) && !ADDRESS.test(text));
}

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

/** A case that is not erased yet. */
const blockedSchema = z.object({
  caseId: z.string(),
  why: z.string().describe('The work that has to end first.'),
});

/** Preview of an erasure. */
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
export type ErasurePreview = z.infer<typeof erasurePreviewSchema>;

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
export type ErasedCaseList = z.infer<typeof erasedCaseListSchema>;

/** Query of `GET /erased-cases`. */
export const erasedCaseQuerySchema = z.object({
  cursor: cursorField(),
  limit: limitField(1_000, 500),
});

/** A request to erase cases. */
export interface NewErasure extends Pick<ShownErasure, 'id' | 'classes' | 'by' | 'reason'> {
  caseIds: readonly string[];
  /** The value for which cases were found; dead letters that contain it are deleted. */
  subject: string | null;
}

/** Days until content is erased, by class. A class without days is kept. */
export type RetentionDays = Partial<Record<ErasableClass, number>>;

/** A page of cases that retention goes through, oldest first. */
export interface RetentionPage {
  /** By kind of case; `default`: of the other kinds. */
  days: Readonly<Record<string, RetentionDays>>;
  /** Milliseconds since the epoch. */
  now: number;
  /** Result of the page before; null: the first page. */
  after: string | null;
  limit: number;
}

/** Erasure of the content of cases. Verdicts, figures and digests stay. */
export interface Erasures {
  /** Returns the ids of cases in which a value occurs: a phone number, an address, a domain, any text. */
  casesWith(subject: string): Promise<string[]>;
  /** Counts what an erasure would erase, and names the cases with open work. */
  preview(of: Pick<NewErasure, 'caseIds' | 'classes' | 'subject'>): Promise<ErasurePreview>;
  /** Records a request. A repeated call with the same id changes nothing. @returns cases of the request. */
  request(erasure: NewErasure): Promise<void>;
  get(id: string): Promise<ShownErasureDetail | null>;
  list(limit: number): Promise<ShownErasure[]>;
  /** Returns the erasures of a case, oldest first. */
  ofCase(caseId: string): Promise<CaseErasure[]>;
  /**
   * Returns a page of the erasures of all cases, oldest first.
   * @throws InvalidInput for a cursor of another list.
   */
  erasedCases(query: { cursor?: string | undefined; limit: number }): Promise<ErasedCaseList>;
  /**
   * Erases the next requested cases, each in a transaction of its own. Cases with open work are tried again
   * after a minute.
   * @param withdraw Removes the jobs of a case from the queue, before its erasure is committed.
   * @returns the number of cases that were erased or found blocked.
   */
  eraseNext(limit: number, withdraw: Queue['remove']): Promise<number>;
  /**
   * Requests the erasure of the next cases whose content is older than its days, counted from their newest change.
   * @returns where the next page begins; null: this was the last one.
   */
  requestDue(of: RetentionPage): Promise<string | null>;
}
