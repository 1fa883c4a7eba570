export { alwaysModel, anAnswer, aQuestion, freeCalls } from '../calls/testing/journal-bench.js';
export { waitingRun } from '../executor/testing/waiting-run.js';
