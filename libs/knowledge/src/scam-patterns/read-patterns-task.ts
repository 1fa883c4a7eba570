import type { ScamPattern, TaskModule } from '@casefile/contracts';
import { readScamPatterns } from './read-scam-patterns.js';

/** `readScamPatterns`, as a task. */
export const run: TaskModule<{ source: string }, number, ScamPattern[]>['run'] = (
  bytes,
  { source },
  { keep },
) => readScamPatterns(bytes, source, keep);
