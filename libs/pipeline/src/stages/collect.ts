import { defineStage } from '../stage.js';

/** Collects evidence by the collect part of the playbook. */
export const collect = defineStage({
  name: 'collect',
  app: 'evidence-collector',
  reads: ['brief'],
  readsPrevious: ['draft', 'evidence'],
  appends: 'evidence',
  run: (input, ports) => ports.playbook.collect(input, ports),
});
