import { done } from '@casefile/contracts';
import { takenOver } from '../reuse.js';
import { defineStage } from '../stage.js';

/** Criticises the draft by the playbook's reviewer. */
export const critique = defineStage({
  name: 'critique',
  app: 'critic-writer',
  reads: ['brief', 'evidence', 'draft'],
  readsPrevious: ['review'],
  appends: 'review',
  run: async (input, ports) => {
    const taken = await takenOver(input.evidence, 'review', ports);
    return taken === null ? ports.playbook.reviewer.review(input, ports) : done(taken);
  },
});
