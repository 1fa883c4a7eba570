import { investigation } from './command-line/investigation-lines.js';

export { labelledIncidents as evaluation } from './command-line/evaluation.js';
export { incidentSamples as samples } from './command-line/samples.js';
export { investigationAnswers as demonstration } from './command-line/demonstration.js';
export const sections = [investigation];
