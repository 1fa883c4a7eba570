import { killAtBoundaries } from '@casefile/e2e/boundary-run/kill-at-boundaries';
import { scriptedIncidents } from '@casefile/e2e/boundary-run/scripted-incident';
import { testDatabase } from '@casefile/store/testing';
import { sharedFaults } from './parts/faults.js';
import type { Proof } from './proof.js';

export const r3: Proof = {
  id: 'R3',
  promise: 'Paid work is not repeated.',
  mechanism: 'A journal: each call is written before it is made, and its answer is read after a crash.',
  figure: 'recorded steps repeated 0 times; more calls than steps only for calls in flight at a kill',
  limitMinutes: 25,
  shares: 'faults',
  mutation: {
    what: 'recorded answers are not read after a crash',
    replacements: [
      {
        file: 'libs/engine/src/calls/journal.ts',
        find: 'const recorded = this.fromRecord(call);',
        replace: 'const recorded = null;',
      },
    ],
  },
  run: async (context) => {
    const { short, execArgv, say } = context;
    const { answeredTwice, extraCalls, underWayAtKills } = await sharedFaults(context);
    const database = await testDatabase();
    const { url } = database;
    const cases = short ? 3 : 40;
    const { paidAgain, calledAgain, killed, answeredAtKills } = await killAtBoundaries({
      script: scriptedIncidents,
      databaseUrl: url,
      queueUrl: url,
      handOn: 'queue',
      cases,
      step: short ? 13 : 1,
      execArgv,
      say,
    });
    await database.drop();
    const again = answeredTwice + paidAgain + calledAgain;
    return {
      measured: `${again} of ${answeredAtKills} recorded steps repeated at ${killed} commits; ${extraCalls} further calls, ${underWayAtKills} in flight at kills`,
      passed: again === 0 && extraCalls <= underWayAtKills && killed === cases && answeredAtKills > 0,
    };
  },
};
