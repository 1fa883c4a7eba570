import type { Harms } from '@casefile/pipeline/harms';

/** What a wrong verdict on an incident costs, and whom. */
export const HARMS: Harms = {
  act: {
    costs: 'A person is woken for nothing, or looks for the wrong cause while the harm continues.',
    whom: 'the person on call, and the users meanwhile',
    needs:
      'Harm at this time, by an item from after the start. A cause is named only if its cited lines confirm it.',
  },
  review: {
    costs: 'Harm continues until working hours.',
    whom: 'the users',
    needs:
      'Nothing: it is the action if neither of the others is proven. A critical alert is not lowered to it by missing results.',
  },
  dismiss: {
    costs: 'Harm continues, and no person learns of it.',
    whom: 'the users, and those who rely on the alert',
    needs:
      'A status field of the sender, the end of the occurrence, or a good state of the affected system from after the start that a second question supports.',
  },
};
