import { CRITERION_STATUSES, z, type Citation, type JsonObject } from '@casefile/contracts';

const MOST_CITATIONS = 20;

// Models write null for what they leave out, and keys nobody asked for; neither makes an answer wrong.
const quote = z.object({
  kind: z.literal('quote'),
  nodeId: z.string().trim().min(1).max(64),
  quote: z.string().min(1).max(4_000),
  page: z.number().int().min(1).nullish(),
});
const fact = z.object({
  kind: z.literal('fact'),
  fact: z.string().min(1).max(200),
  value: z.union([z.string().max(20_000), z.number(), z.boolean()]),
  unit: z.string().max(40).nullish(),
});
const absence = z.object({
  kind: z.literal('absence'),
  of: z.enum(['fact', 'policy']),
  asked: z.string().min(1).max(2_000),
});

/** What `finish` must say. S4-13. */
export const finishSchema = z.object({
  status: z.enum(CRITERION_STATUSES),
  confidence: z.number().min(0).max(1),
  rationale: z.string().trim().min(1).max(4_000),
  citations: z.array(z.discriminatedUnion('kind', [quote, fact, absence])).max(MOST_CITATIONS),
});
export type FinishAnswer = z.infer<typeof finishSchema>;

/** Its citations without what was left out. */
export function citationsOf({ citations }: Pick<FinishAnswer, 'citations'>): Citation[] {
  return citations.map((citation): Citation => {
    if (citation.kind === 'absence') return citation;
    if (citation.kind === 'quote') {
      const { page, ...rest } = citation;
      return page === null || page === undefined ? rest : { ...rest, page };
    }
    const { unit, ...rest } = citation;
    return unit === null || unit === undefined ? rest : { ...rest, unit };
  });
}

const text = { type: 'string' };

/**
 * The same as JSON Schema: what the model is shown, in few words, for every turn is charged for them. What each kind of
 * citation needs is said once, in words; the answer is held to `finishSchema`.
 */
export const finishParameters: JsonObject = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: [...CRITERION_STATUSES] },
    confidence: { type: 'number' },
    rationale: { type: 'string', description: 'For a reader who must defend it' },
    citations: {
      type: 'array',
      description:
        'quote: nodeId, quote (exact words), page if shown. fact: fact (its id), value, unit as read. absence (looked up in vain): of, asked as you wrote it',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['quote', 'fact', 'absence'] },
          ...{ nodeId: text, quote: text, page: { type: 'integer' } },
          ...{ fact: text, value: { type: ['string', 'number', 'boolean'] }, unit: text },
          ...{ of: { type: 'string', enum: ['fact', 'policy'] }, asked: text },
        },
        required: ['kind'],
      },
    },
  },
  required: ['status', 'confidence', 'rationale', 'citations'],
};
