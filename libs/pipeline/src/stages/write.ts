import { CasefileError, done } from '@casefile/contracts';
import { defineStage } from '../stage.js';

/** Writes the report by the write part of the playbook: one report for the run, however many units it has. */
export const write = defineStage({
  name: 'write',
  app: 'critic-writer',
  reads: ['brief', 'evidence', 'draft', 'review'],
  appends: 'report',
  joins: true,
  async run({ units: [first, ...others] }, ports) {
    if (first === undefined) throw new CasefileError('no_units', 'there is nothing to write of');
    return done(await ports.playbook.write([first, ...others], ports));
  },
});
