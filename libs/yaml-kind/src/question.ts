import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from '@casefile/contracts';
import { definePrompt, fencedText, readObject, type DraftParts, type DraftQuestion } from '@casefile/kit';
import type { CompiledKind } from './compile-kind.js';
import { evidenceList } from './evidence-text.js';

/** Fields of an answer that every verdict reads. The kind declares further fields. */
const commonSchema = z.looseObject({
  confidence: z.number(),
  why: z.string(),
  evidenceUsed: z.array(z.string()),
});

/** Returns the question of a kind to a model; null: it has none. */
export function yamlQuestion({
  name,
  version,
  folder,
  question,
  answer,
}: CompiledKind): DraftQuestion | null {
  if (question === undefined || answer === null) return null;
  const prompt = definePrompt({
    id: `${name}/question@${version}`,
    file: pathToFileURL(join(folder, question.prompt)),
    sections: { system: [], case: ['input', 'evidence'], task: ['schema'] },
  });
  return {
    prompt,
    about({ brief, evidence }, prompts) {
      const text = prompts.of(prompt);
      return {
        id: text.id,
        kind: 'answer',
        level: 'high',
        system: text.render({ system: {} }),
        render: (mark) =>
          text.render({
            case: {
              input: fencedText(JSON.stringify(brief.input, null, 2), mark),
              evidence: fencedText(evidenceList(evidence.items), mark),
            },
            task: { schema: JSON.stringify(answer.json) },
          }),
        answer: { name: name.replaceAll('-', '_'), schema: answer.json },
        maxOutputTokens: question.maxOutputTokens,
        read(content) {
          const read = readObject(answer.schema, content);
          return 'value' in read ? { value: draftOf(read.value) } : read;
        },
      };
    },
  };
}

function draftOf(value: Record<string, unknown>): DraftParts {
  const { confidence, why, evidenceUsed, ...answer } = commonSchema.parse(value);
  return {
    answer: answer as DraftParts['answer'],
    explanation: why,
    claims: [{ text: why, citations: evidenceUsed }],
    evidenceUsed,
    confidence,
    confidenceSource: 'llm',
    method: 'llm',
    remarks: [],
  };
}
