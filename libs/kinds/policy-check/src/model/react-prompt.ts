import { EXAMINATION_SECTIONS } from '@casefile/pipeline/parts/examined-matter';
import { definePrompt } from '@casefile/pipeline/prompts/prompt';

/**
 * Prompt for checking a criterion in turns. It explains the loop, the purpose of each tool and the meaning of
 * a confidence. It is short, because every turn is charged for it.
 */
export const reactPrompt = definePrompt({
  id: 'policy-check/react@2',
  file: new URL('../prompts/react@2.md', import.meta.url),
  sections: {
    system: [],
    about: ['about'],
    criterion: ['criterion'],
    facts: ['facts'],
    'no-call': [],
    'finish-now': [],
  },
});

/** Cross-examination: whether policy and facts support the status of a criterion. */
export const crossExamination = definePrompt({
  id: 'policy-check/cross-examination@2',
  file: new URL('../prompts/cross-examination@2.md', import.meta.url),
  sections: EXAMINATION_SECTIONS,
});
