import { definePrompt, fencedText, readObject, z } from '@casefile/kit';
import type { DraftParts, DraftQuestion, JsonObject, ReadAnswer } from '@casefile/kit';

const answerSchema = z.object({
  size: z.enum(['small', 'medium', 'large']),
  confidence: z.number().min(0).max(1),
  why: z.string().min(1).max(500),
  /** Ids of the evidence, such as E1. */
  evidenceUsed: z.array(z.string()).max(100),
});
const schema = z.toJSONSchema(answerSchema) as JsonObject;

const prompt = definePrompt({
  id: 'kind-name/answer@1',
  file: new URL('./prompts/answer@1.md', import.meta.url),
  sections: { system: [], request: ['request', 'evidence'], task: ['schema'] },
});

/** Asks a model how large the amount is for what is requested. */
export const question: DraftQuestion = {
  prompt,
  about({ brief, evidence }, prompts) {
    const text = prompts.of(prompt);
    const items = evidence.items.map(({ id, toolName, given, success, result, message }) => ({
      id,
      // Evidence that the sender supplied may bear the name of any tool.
      from: given === true ? 'the sender' : toolName,
      ...(success ? { result } : { failed: message ?? 'it gave no answer' }),
    }));
    return {
      id: text.id,
      kind: 'answer',
      level: 'high',
      system: text.render({ system: {} }),
      // The mark is drawn for each case, so that the data cannot end its own block.
      render: (mark) =>
        text.render({
          request: {
            request: fencedText(JSON.stringify(brief.input), mark),
            evidence: fencedText(JSON.stringify(items), mark),
          },
          task: { schema: JSON.stringify(schema) },
        }),
      answer: { name: 'request_size', schema },
      maxOutputTokens: 400,
      read: readAnswer,
    };
  },
};

function readAnswer(content: string): ReadAnswer<DraftParts> {
  const read = readObject(answerSchema, content);
  if (!('value' in read)) return read;
  const { size, confidence, why, evidenceUsed } = read.value;
  return {
    value: {
      answer: { size },
      explanation: why,
      claims: [{ text: why, citations: evidenceUsed }],
      evidenceUsed,
      confidence,
      confidenceSource: 'llm',
      method: 'llm',
      remarks: [],
    },
  };
}
