// What an alert does to a case: repeats and keys, occurrences, the hold-off.
export * from './accept-plan.js';
export * from './known-case.js';
