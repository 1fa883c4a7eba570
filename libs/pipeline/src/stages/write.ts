import { CasefileError, done } from '@casefile/contracts';
import { takenOver } from '../reuse.js';
import { defineStage } from '../stage.js';

/** Writes the report for people: one for the run, whatever it was divided into. */
export const write = defineStage({
  name: 'write',
  app: 'critic-writer',
  reads: ['brief', 'evidence', 'draft', 'review'],
  appends: 'report',
  joins: true,
  async run({ units: [first, ...others] }, { playbook, ...ports }) {
    if (first === undefined) throw new CasefileError('no_units', 'there is nothing to write of');
    const taken = await takenOver(first.evidence, 'report', ports);
    if (taken !== null) return done(taken);
    return done(await playbook.write([first, ...others], ports));
  },
});
