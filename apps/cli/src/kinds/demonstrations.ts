import { investigationAnswers } from './incident/demonstration.js';
import type { KindAnswers } from './kind-answers.js';
import { checkAnswers } from './policy-check/demonstration.js';
import { researchAnswers } from './research/demonstration.js';

/** Written answers of every kind of case that has some. */
export const ANSWERS_OF_KINDS: readonly KindAnswers[] = [checkAnswers, investigationAnswers, researchAnswers];
