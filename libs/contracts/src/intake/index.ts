// Effects of an alert on its case: repeats and keys, occurrences, the hold-off.
export * from './accept-plan.js';
export * from './known-case.js';
export { firstOccurrence, type KnownOccurrences, type OccurrenceEffect } from './occurrence.js';
