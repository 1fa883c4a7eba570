import { readFileSync } from 'node:fs';
import { z } from '@casefile/contracts';

export const FOLDER = new URL('../../../../samples/eval/trust/', import.meta.url);
const MESSAGES = new URL('../../../../samples/eval/unseen.jsonl', import.meta.url);

const text = z.string().min(1);
const language = text;
/** Words of a source and the source's key. */
export const quote = z.tuple([text, text]);

export const lookUp = z.tuple([text, text, text, z.looseObject({}).nullable()]);
const wrongMessage = z.strictObject({
  why: text,
  /** Words of the text or of a look-up that contradict "harmless"; empty if there are none. */
  against: z.string(),
  contradicted: z.boolean(),
});
const dishonestMessage = z.strictObject({
  id: text,
  language,
  category: text,
  text,
  /** Type, value, tool and result of each look-up; a result of null is a look-up that failed. */
  evidence: z.array(lookUp).default([]),
  wrong: z.array(wrongMessage).min(1),
});
const ownMessage = z.strictObject({
  id: text,
  language,
  text,
  isScam: z.boolean(),
  why: text,
  signs: z.array(text).default([]),
  flags: z.array(text).default([]),
  category: text.optional(),
  evidence: z.array(lookUp).default([]),
  /** Whether the case is in the unseen half, of which only ids may be printed. */
  unseen: z.boolean().default(false),
});
const labelledMessage = z.strictObject({ id: text, message: text });

const fact = z.union([text, z.tuple([text, text])]);
export const policySchema = z.strictObject({
  id: text,
  language,
  title: text,
  sections: z.record(text, text),
  criteria: z.array(
    z.strictObject({
      text,
      quotes: z.array(quote).min(1),
      variants: z.array(
        z.strictObject({
          facts: z.record(text, fact),
          status: z.enum(['MET', 'NOT_MET', 'UNCERTAIN']),
          why: text,
        }),
      ),
      wrong: z.array(
        z.strictObject({
          variant: z.number().int().min(0),
          status: z.enum(['MET', 'NOT_MET']),
          why: text,
          quotes: z.array(quote).min(1),
          against: quote.nullable(),
          contradicted: z.boolean(),
        }),
      ),
    }),
  ),
});

const cause = z.tuple([text, z.number().min(0).max(1), z.array(quote).min(1)]);
const analysis = z.strictObject({
  summary: text,
  causes: z.array(cause).default([]),
  out: z.array(z.tuple([text, z.array(quote).min(1)])).default([]),
  actions: z.array(z.tuple([text, z.enum(['low', 'medium', 'high']), z.boolean()])).default([]),
  impact: z.tuple([z.boolean(), text]).optional(),
  falseAlarm: z.array(quote).optional(),
  confidence: z.number().min(0).max(1).default(0.95),
});
export const incidentSchema = z.strictObject({
  id: text,
  alert: z.tuple([text, text]),
  labels: z.record(text, text),
  /** Tool, subject and result of each look-up, cited as E1, E2 and so on. */
  reads: z.array(z.tuple([text, text, text])).min(1),
  honest: z.array(analysis).min(1),
  wrong: z.array(analysis.extend({ against: quote, contradicted: z.boolean() })).default([]),
});

export const LIES = ['figure', 'comparative', 'unit', 'source', 'polarity', 'verb', 'subject'] as const;
const researchSchema = z.strictObject({
  id: text,
  language: z.enum(['zh', 'en']),
  query: text,
  /** Site, tier and text of each source, cited as E1, E2 and so on. */
  sources: z.array(z.tuple([text, z.number().int().min(1).max(5), text])).min(1),
  honest: z.array(text).min(1),
  lies: z.array(z.tuple([z.enum(LIES), text])),
  wrong: text,
});

const sampleSchema = z.looseObject({
  id: text,
  text,
  language,
  isScam: z.boolean(),
  category: text.nullable(),
  note: text,
});

export type DishonestMessage = z.infer<typeof dishonestMessage>;
export type HonestMessage = z.infer<typeof ownMessage>;
export type PolicyScenario = z.infer<typeof policySchema>;
export type IncidentScenario = z.infer<typeof incidentSchema>;
export type Analysis = z.infer<typeof analysis>;
export type ResearchScenario = z.infer<typeof researchSchema>;
export type Quote = z.infer<typeof quote>;

/**
 * Returns the scenarios of samples/eval/trust with their answers.
 * @throws ZodError if a line has another shape.
 */
export function readSets() {
  return {
    messages: { dishonest: rowsIn('messages-dishonest', dishonestMessage), honest: honestMessages() },
    policies: rowsIn('policy-check', policySchema),
    incidents: [
      ...rowsIn('incident-firing', incidentSchema),
      ...rowsIn('incident-false-alarms', incidentSchema),
    ],
    research: [...rowsIn('research-zh', researchSchema), ...rowsIn('research-en', researchSchema)],
  };
}

// A line that names a message of the unseen half gets its text, its label, and the note on the label as the
// reason.
function honestMessages(): HonestMessage[] {
  const labelled = new Map(
    lines(readFileSync(MESSAGES, 'utf8')).map((row) => {
      const sample = sampleSchema.parse(row);
      return [sample.id, sample] as const;
    }),
  );
  return rowsIn('messages-honest', z.union([labelledMessage, ownMessage])).map((row) => {
    if (!('message' in row)) return row;
    const sample = labelled.get(row.message);
    if (sample === undefined)
      throw new Error(`${row.id} names ${row.message}, which is not in unseen.jsonl.`);
    const parts = sample.note.split(/[,;]\s+/);
    const labels = sample.isScam ? { flags: parts, signs: [] } : { flags: [], signs: parts };
    const category = sample.category === null ? {} : { category: sample.category };
    return {
      ...labels,
      ...category,
      id: row.id,
      language: sample.language,
      text: sample.text,
      isScam: sample.isScam,
      why: sample.note,
      evidence: [],
      unseen: true,
    };
  });
}

/** Returns the lines of a file of the sets. @throws ZodError if a line has another shape. */
export function rowsIn<T>(name: string, schema: z.ZodType<T>): T[] {
  return lines(readFileSync(new URL(`${name}.jsonl`, FOLDER), 'utf8')).map((row) => schema.parse(row));
}

const lines = (file: string): unknown[] =>
  file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
