import type { Harms } from '@casefile/pipeline/harms';

/** What a wrong verdict of a research costs, and whom. */
export const HARMS: Harms = {
  act: {
    costs: 'A false statement is passed on as checked.',
    whom: 'the person who asked, and the persons and firms that the report names',
    needs: 'Each sentence supported by its sources, none contradicted by program or by the second question.',
  },
  review: {
    costs: 'The answer is late.',
    whom: 'the person who asked',
    needs: 'Nothing: it is the result if the report is not proven.',
  },
  dismiss: {
    costs: 'A true report is withheld.',
    whom: 'the person who asked',
    needs: 'A reviewer. A research never dismisses a case on its own.',
  },
};
