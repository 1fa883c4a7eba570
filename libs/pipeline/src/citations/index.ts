export * from './citation.js';
export * from './criterion-status.js';
export { holdsQuote, nearestPassage } from './find-quote.js';
export { normalText } from './normal-text.js';
export { sameValue } from './same-value.js';
export * from './verify-citations.js';
