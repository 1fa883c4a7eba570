import { z, type JsonObject, type ReadAnswer } from '@casefile/contracts';
import { readObject, type DraftParts } from '@casefile/pipeline';

export const answerSchema = z.object({
  size: z.enum(['small', 'large']),
  confidence: z.number().min(0).max(1),
  why: z.string().min(1).max(500),
});
export type Answer = z.infer<typeof answerSchema>;

/** The answer's schema for providers with structured output. */
export const answerJsonSchema = z.toJSONSchema(answerSchema) as JsonObject;

/** Returns a model's answer as a draft, or the problems with it. */
export function readAnswer(content: string): ReadAnswer<DraftParts> {
  const read = readObject(answerSchema, content);
  return 'value' in read ? { value: draftOf(read.value) } : read;
}

export function draftOf(answer: Answer): DraftParts {
  return {
    answer,
    explanation: answer.why,
    claims: [{ text: answer.why, citations: [] }],
    evidenceUsed: [],
    confidence: answer.confidence,
    confidenceSource: 'llm',
    method: 'llm',
    remarks: [],
  };
}
