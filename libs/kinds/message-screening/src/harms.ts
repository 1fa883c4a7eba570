import type { Harms } from '@casefile/pipeline/harms';
import { PROOF_NEEDED } from '@casefile/pipeline/scam/burden-of-proof';

/** What a wrong action on a message costs, and whom. */
export const HARMS: Harms = {
  act: {
    costs: 'An honest sender is drawn into a conversation that is meant for criminals, and is not helped.',
    whom: 'the sender, and the platform that answers in the name of its user',
    needs: PROOF_NEEDED.scam,
  },
  review: {
    costs: 'A harmless sender gets a question, or a person reads a plain message.',
    whom: 'the sender, and the reviewer',
    needs: 'Nothing. It is the disposition if the others lack what they need.',
  },
  dismiss: {
    costs: 'A criminal stays without an answer, and the receiver follows the scam.',
    whom: 'the receiver',
    needs: PROOF_NEEDED.harmless,
  },
};
