import { turns } from './command-line/turn-lines.js';

export { policyCases as evaluation } from './command-line/policy-cases.js';
export { policyCaseSamples as samples } from './command-line/samples.js';
export { checkAnswers as demonstration } from './command-line/demonstration.js';
export const sections = [turns];
