import { DEMONSTRATION, type Draft, type Outcome, type RunSettings } from '@casefile/contracts';
import { defineStage } from '../stage.js';
import { strategyOf } from '../playbook.js';

/** Reasons over brief and evidence by the run's strategy. */
export const reason = defineStage({
  name: 'reason',
  app: 'reasoner',
  reads: ['brief', 'evidence'],
  readsPrevious: ['draft', 'review'],
  appends: 'draft',
  run: async (input, ports) => {
    const { settings } = ports.run;
    return passedOn(await strategyOf(ports.playbook, settings.strategy).reason(input, ports), settings);
  },
});

/** What was played from hand-written answers is never called the answer of a model. */
function passedOn(outcome: Outcome<Draft>, { provider }: RunSettings): Outcome<Draft> {
  if (provider !== DEMONSTRATION || outcome.kind !== 'done' || outcome.artifact.method !== 'llm')
    return outcome;
  return { ...outcome, artifact: { ...outcome.artifact, method: 'demonstration' } };
}
