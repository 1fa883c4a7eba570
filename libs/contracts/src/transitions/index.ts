// Transitions of a case: what changes, and what leaves, when something happens to it.
export * from './alert-transition.js';
export * from './grade.js';
export * from './rules.js';
export * from './silence-transition.js';
export * from './verdict-transition.js';
export * from './answer-transition.js';
