import { rounds } from './command-line/research-lines.js';

export { labelledQuestions as evaluation } from './command-line/evaluation.js';
export { researchSamples as samples } from './command-line/samples.js';
export { researchAnswers as demonstration } from './command-line/demonstration.js';
export const sections = [rounds];
