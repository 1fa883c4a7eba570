export { labelledTexts as evaluation } from './command-line/labelled-texts.js';
export { scamSamples as samples } from './command-line/samples.js';
