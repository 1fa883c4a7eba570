import { readFileSync } from 'node:fs';
import { readPrompt, type PromptTexts } from '../prompts/prompt.js';

/** The texts of prompts as they are shipped. @throws Error when one is not as its prompt declares it. */
export const shippedPrompts: PromptTexts = {
  of(prompt) {
    const read = readPrompt(prompt, readFileSync(prompt.file, 'utf8'));
    if ('text' in read) return read.text;
    throw new Error(`${prompt.id}: ${read.problems.join('; ')}`);
  },
};
