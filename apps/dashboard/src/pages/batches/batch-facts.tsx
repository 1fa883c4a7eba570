import type { Batch, BatchState } from '@casefile/contracts';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { Badge, type Tone } from '../../ui/badge.js';

const TONES: Record<BatchState, Tone> = {
  running: 'blue',
  paused: 'amber',
  done: 'violet',
  applying: 'blue',
  applied: 'green',
  discarded: 'neutral',
};

const WORDS: Record<BatchState, string> = {
  running: 'running',
  paused: 'paused',
  done: 'to be looked at',
  applying: 'being applied',
  applied: 'applied',
  discarded: 'discarded',
};

/** Where a batch stands, in a word. */
export function BatchStateBadge({ state }: { state: BatchState }) {
  return <Badge tone={TONES[state]}>{WORDS[state]}</Badge>;
}

/** How far a batch is and what came of it, in a line. */
export function BatchFacts({ batch }: { batch: Batch }) {
  return <span>{factsOf(batch).join(' · ')}</span>;
}

/** What stands beside the flipped ones: how much flips by itself, what was not compared at all, and who was right. */
export function comparedIn({
  done,
  twice,
  unsteady,
  identical,
  labelled,
  rightBefore,
  rightNow,
}: Batch): string[] {
  return [
    ...(twice === 0
      ? []
      : [`Of ${countOf(twice, 'case')} run twice, ${countText(unsteady)} came out otherwise by themselves`]),
    ...(identical === 0
      ? []
      : [
          `${countText(identical)} of ${countText(done)} sent the same requests and asked no model: there only rules and thresholds are compared`,
        ]),
    ...(labelled === 0
      ? []
      : [
          `Right by what people said: ${countText(rightBefore)} before, ${countText(rightNow)} now, of ${countText(labelled)}`,
        ]),
  ];
}

/** The facts by themselves. */
export function factsOf({
  state,
  done,
  total,
  flipped,
  failed,
  applied,
  overtaken,
  costUsd,
  ratePerSecond,
  etaSeconds,
  reason,
}: Batch): string[] {
  return [
    `${countText(done)} of ${countText(total)}`,
    `${countText(flipped)} flipped`,
    ...(failed === 0 ? [] : [`${countText(failed)} without a verdict`]),
    ...(applied === 0 ? [] : [`${countText(applied)} applied`]),
    ...(overtaken === 0 ? [] : [`${countText(overtaken)} with a newer verdict`]),
    moneyText(costUsd),
    ...(state === 'running' && ratePerSecond !== null ? [`${ratePerSecond.toFixed(1)} a second`] : []),
    ...(etaSeconds !== null && etaSeconds > 0 ? [`${durationText(etaSeconds * 1_000)} left`] : []),
    ...(reason === null ? [] : [reason]),
  ];
}
