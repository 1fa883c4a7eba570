import type { Harms } from '@casefile/pipeline/harms';
import { PROOF_NEEDED } from '@casefile/pipeline/scam/burden-of-proof';

/** What a wrong verdict on a message costs, and whom. */
export const HARMS: Harms = {
  act: {
    costs:
      'An honest sender is treated as a criminal: a message is blocked, an account is closed, a reminder of a clinic or a bank is not read.',
    whom: 'the sender, and the receiver who misses the message',
    needs: PROOF_NEEDED.scam,
  },
  review: {
    costs: 'A person reads a plain message, and the receiver waits meanwhile.',
    whom: 'the reviewer, and the receiver',
    needs: 'Nothing. It is the disposition if the others lack what they need.',
  },
  dismiss: {
    costs: 'The receiver follows a scam that was called harmless, and loses money or an account.',
    whom: 'the receiver',
    needs: PROOF_NEEDED.harmless,
  },
};
