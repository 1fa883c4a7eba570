import type { ShownExperiment } from '@casefile/contracts';
import { Badge, type Tone } from '../../ui/badge.js';

const STATES: Record<ShownExperiment['state'], { tone: Tone; words: string }> = {
  draft: { tone: 'neutral', words: 'draft' },
  running: { tone: 'green', words: 'running' },
  stopped: { tone: 'neutral', words: 'stopped' },
  promoted: { tone: 'violet', words: 'promoted' },
  stepped_back: { tone: 'red', words: 'stepped back' },
};

/** The state of an experiment in words. */
export function ExperimentState({ state }: Pick<ShownExperiment, 'state'>) {
  const { tone, words } = STATES[state];
  return <Badge tone={tone}>{words}</Badge>;
}
