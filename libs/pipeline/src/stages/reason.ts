import { defineStage } from '../stage.js';
import { strategyNamed } from '../strategies/index.js';

/** Reasons over brief and evidence by the run's strategy. */
export const reason = defineStage({
  name: 'reason',
  app: 'reasoner',
  reads: ['brief', 'evidence'],
  readsPrevious: ['draft', 'review'],
  appends: 'draft',
  run: (input, ports) => strategyNamed(ports.run.settings.strategy).reason(input, ports),
});
