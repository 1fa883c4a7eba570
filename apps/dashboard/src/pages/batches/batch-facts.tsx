import type { Batch, BatchState } from '@casefile/contracts';
import { Badge, type Tone } from '../../ui/badge.js';
import { batchFacts, WORDS_OF_BATCHES } from './batch-words.js';

const TONES: Record<BatchState, Tone> = {
  running: 'blue',
  paused: 'amber',
  done: 'violet',
  applying: 'blue',
  applied: 'green',
  discarded: 'neutral',
};

/** The state of a batch as one word. */
export function BatchStateBadge({ state }: { state: BatchState }) {
  return <Badge tone={TONES[state]}>{WORDS_OF_BATCHES[state]}</Badge>;
}

/** The progress and result of a batch on one line. */
export function BatchFacts({ batch }: { batch: Batch }) {
  return <span>{batchFacts(batch).join(' · ')}</span>;
}
