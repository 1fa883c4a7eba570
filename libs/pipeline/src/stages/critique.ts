import { defineStage } from '../stage.js';

/** Criticises the draft by the critique part of the playbook. */
export const critique = defineStage({
  name: 'critique',
  app: 'critic-writer',
  reads: ['brief', 'evidence', 'draft'],
  readsPrevious: ['review'],
  appends: 'review',
  run: (input, ports) => ports.playbook.critique(input, ports),
});
