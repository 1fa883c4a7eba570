import type { Harms } from '@casefile/pipeline/harms';

/** What a wrong action on a message costs, and whom. */
export const HARMS: Harms = {
  act: {
    costs: 'An honest sender is drawn into a conversation that is meant for criminals, and is not helped.',
    whom: 'the sender, and the platform that answers in the name of its user',
    needs:
      'Rules that call the message a scam, or a look-up that speaks for a scam. Otherwise a second model question that supports it, and something in the message to follow, call, pay or answer. Rules that read the message and find nothing stand against it.',
  },
  review: {
    costs: 'A harmless sender gets a question, or a person reads a plain message.',
    whom: 'the sender, and the reviewer',
    needs: 'Nothing. It is the disposition if the others lack what they need.',
  },
  dismiss: {
    costs: 'A criminal goes on unanswered, and the receiver follows the scam.',
    whom: 'the receiver',
    needs:
      'Rules that read the message and find no sign, with a source that clears each link and number. Otherwise a second model question that supports it. In a language that the rules do not read also a source that clears each link and number. Signs of a scam on the record stand against it.',
  },
};
