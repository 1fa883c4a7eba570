import { done } from '@casefile/contracts';
import { defineStage } from '../stage.js';

/** Writes the report for people. */
export const write = defineStage({
  name: 'write',
  app: 'critic-writer',
  reads: ['brief', 'evidence', 'draft', 'review'],
  appends: 'report',
  run: (input, ports) => done(ports.run.playbook.write(input)),
});
