import type { Harms } from '@casefile/pipeline/harms';

/** What a wrong verdict on a message costs, and whom. */
export const HARMS: Harms = {
  act: {
    costs:
      'An honest sender is treated as a criminal: a message is blocked, an account is closed, a reminder of a clinic or a bank is not read.',
    whom: 'the sender, and the receiver who misses the message',
    needs:
      'Rules that call the message a scam, or a look-up that speaks for a scam. Otherwise a second model question that supports it, and something in the message to follow, call, pay or answer. Rules that read the message and find nothing stand against it.',
  },
  review: {
    costs: 'A person reads a plain message, and the receiver waits meanwhile.',
    whom: 'the reviewer, and the receiver',
    needs: 'Nothing. It is the disposition if the others lack what they need.',
  },
  dismiss: {
    costs: 'The receiver follows a scam that was called harmless, and loses money or an account.',
    whom: 'the receiver',
    needs:
      'Rules that read the message and find no sign, with a source that clears each link and number. Otherwise a second model question that supports it. In a language that the rules do not read also a source that clears each link and number. Signs of a scam on the record stand against it.',
  },
};
