import type { ShownExperiment } from '@casefile/contracts';
import { Badge } from '../../ui/badge.js';
import { EXPERIMENT_STATES } from './experiment-words.js';

/** The state of an experiment in words. */
export function ExperimentState({ state }: Pick<ShownExperiment, 'state'>) {
  const { tone, words } = EXPERIMENT_STATES[state];
  return <Badge tone={tone}>{words}</Badge>;
}
