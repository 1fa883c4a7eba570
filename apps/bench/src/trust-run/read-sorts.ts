import { readdirSync } from 'node:fs';
import { z } from '@casefile/contracts';
import { FOLDER, incidentSchema, lookUp, policySchema, quote, rowsIn } from './read-set.js';

/** Ways in which a conclusion is wrong although its quotes are true (samples/eval/README.md describes them). */
export const SORTS = [
  'subject',
  'stale',
  'unit',
  'negated',
  'corrected',
  'part',
  'zone',
  'order',
  'spliced',
  'language',
  'empty',
  'comparison',
  'herring',
  'accused',
] as const;
export type Sort = (typeof SORTS)[number];

const text = z.string().min(1);
const researchPair = z.strictObject({
  id: text,
  language: text,
  query: text,
  sources: z.array(z.tuple([text, z.number().int().min(1).max(5), text])).min(1),
  honest: z.array(text).min(2),
  wrong: text,
  /** Words of a source that contradict the wrong sentence. */
  against: quote,
});
const messagePair = z.strictObject({
  id: text,
  language: text,
  text,
  isScam: z.boolean(),
  /** Reasons of the right and of the wrong answer. */
  right: text,
  wrong: text,
  /** Signs of a scam that the right answer names. Default: the message is harmless. */
  flags: z.array(text).default([]),
  /** Words of the message that contradict the wrong answer; empty: none do. */
  against: z.string(),
  evidence: z.array(lookUp),
});
const ROWS = {
  incident: incidentSchema.extend({ language: text }),
  policy: policySchema,
  research: researchPair,
  messages: messagePair,
} as const;
type Group = keyof typeof ROWS;
export type ResearchPair = z.infer<typeof researchPair>;
export type MessagePair = z.infer<typeof messagePair>;

/** Rows of one file: one kind of case and one sort. */
export type SortFile = {
  [G in Group]: { group: G; sort: Sort; rows: z.infer<(typeof ROWS)[G]>[] };
}[Group];

/**
 * Returns the pairs of right and wrong answers of samples/eval/trust/sorts, by file.
 * @throws ZodError if a line has another shape; Error if a file has another name.
 */
export function readSorts(): SortFile[] {
  return readdirSync(new URL('sorts/', FOLDER))
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => {
      const [, group = '', sort = ''] = /^([a-z]+)-([a-z]+)\.jsonl$/.exec(file) ?? [];
      if (!Object.hasOwn(ROWS, group) || !(SORTS as readonly string[]).includes(sort))
        throw new Error(`${file} has another name than GROUP-SORT.jsonl.`);
      const rows = rowsIn(`sorts/${group}-${sort}`, ROWS[group as Group] as z.ZodType);
      return { group, sort, rows } as SortFile;
    });
}
