import { sharedFaults } from './parts/faults.js';
import type { Proof } from './proof.js';

export const r1: Proof = {
  id: 'R1',
  promise: 'No case is lost when workers die.',
  mechanism: 'A lease ends. Then another worker claims the unit and continues from the record.',
  figure: '200 of 200 cases decided, 100 kills',
  limitMinutes: 20,
  shares: 'faults',
  mutation: {
    what: 'the lease of a dead worker never ends',
    replacements: [
      {
        file: 'libs/contracts/src/units/claim-rules.ts',
        find: 'return isOver(unit.leaseUntil) ? afterCrash(unit, request, now)',
        replace: 'return false ? afterCrash(unit, request, now)',
      },
    ],
  },
  run: async (context) => {
    const { cases, decided, unfinished, quarantined, kills } = await sharedFaults(context);
    const killed = Object.values(kills).reduce((sum, count) => sum + count, 0);
    return {
      measured: `${decided} of ${cases} decided, ${killed} kills`,
      passed: cases === (context.short ? 6 : 200) && decided === cases && unfinished + quarantined === 0,
    };
  },
};
