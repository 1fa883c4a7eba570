import { definePrompt, fencedText, type DraftQuestion } from '@casefile/pipeline';
import { answerJsonSchema, readAnswer } from './answer.js';

const prompt = definePrompt({
  id: 'parcel-size/answer@1',
  file: new URL('./prompts/answer@1.md', import.meta.url),
  sections: { system: [], parcel: ['parcel'], task: ['schema'] },
});

/** Asks a model for the size of the parcel. */
export const sizeQuestion: DraftQuestion = {
  prompt,
  about({ brief }, prompts) {
    const text = prompts.of(prompt);
    return {
      id: text.id,
      kind: 'answer',
      level: 'high',
      system: text.render({ system: {} }),
      render: (mark) =>
        text.render({
          parcel: { parcel: fencedText(JSON.stringify(brief.input), mark) },
          task: { schema: JSON.stringify(answerJsonSchema) },
        }),
      answer: { name: 'parcel_size', schema: answerJsonSchema },
      maxOutputTokens: 200,
      read: readAnswer,
    };
  },
};
