import { z } from 'zod';
import type { Json, JsonObject } from './json.js';

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
