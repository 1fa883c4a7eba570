/** Signs of a scam, with the words that people read. */
export const SIGNAL_KINDS = {
  asks_money: 'asks for money',
  asks_fee: 'wants a payment before something is released, done or given',
  asks_secret: 'asks for a code, password, card or bank details',
  asks_documents: 'asks for identity papers or personal data',
  collect_trick: 'has the receiver scan a code, enter a PIN or send money back',
  deadline: 'sets a deadline',
  threat: 'threatens with a loss, a block or a penalty',
  legal_threat: 'threatens with police, court or arrest',
  blackmail: 'threatens to publish pictures or to shame',
  poses_bank: 'speaks as a bank or payment service',
  poses_authority: 'speaks as an authority or the police',
  poses_carrier: 'speaks as a parcel service',
  poses_company: 'speaks as a company, a shop or its support',
  poses_relative: 'speaks as a relative, a friend or a superior',
  suspicious_link: 'has a look-alike, fresh-looking or shortened link',
  hidden_link: 'has a link that shows another address than the one it leads to',
  urges_click: 'urges to open a link or to call a number',
  install: 'wants a file or an app installed',
  remote_access: 'wants to see or control the device',
  prize: 'promises a prize, a gift or a refund',
  easy_income: 'promises easy income',
  investment: 'promises gains from an investment',
  loan: 'offers a loan without checks',
  other_channel: 'moves to another channel',
  secrecy: 'asks to keep it secret or to stay on the line',
  new_number: 'writes from a new number',
  untraceable: 'wants gift cards, crypto coins or cash',
  stranger: 'makes the acquaintance of a stranger',
  hook: 'offers to tell more, and asks for a reply',
  emotional: 'plays on pity, love or faith',
  lure: 'offers what is too good or cannot be seen',
  account_lure: 'wants an account lent, a vote or a code passed on',
  topic: 'is about a matter that scams are often about',
  trouble: 'tells of a problem with an account, a parcel, a payment or a service',
} as const;
export type SignalKind = keyof typeof SIGNAL_KINDS;

/** Signs of an honest sender, with the words that people read. */
export const LEGITIMACY_KINDS = {
  warns: 'warns of sharing a code or of fraud',
  public_warning: 'is itself a warning of fraud',
  no_action: 'says that nothing has to be done',
  own_channel: 'points to an app, a branch or a channel of its own',
  own_domain: 'links to a domain that is known as its own',
  terms: 'names its terms or how to opt out',
  no_charge: 'says that nothing is charged',
  fact: 'reports what was paid, booked or delivered, and asks for nothing',
  plain_reason: 'gives a plain reason for a first message',
  everyday: 'is about everyday matters of people who know each other',
} as const;
export type LegitimacyKind = keyof typeof LEGITIMACY_KINDS;

/** Weights of a construction. Of each kind, the heaviest construction found counts. */
export const WEIGHTS = { weak: 0.5, plain: 1, strong: 2 } as const;
export type Strength = keyof typeof WEIGHTS;

/**
 * Constructions of one language, one per line. Words are separated by a blank. `a/b`: either word; `stem*`:
 * any ending; `@name`: a family of words; `~`: up to three words between, `~6` up to six; `?word`: optional.
 * `$`: an amount of money; `#`: a number. Marks: LINK, PHONE, MAIL, HANDLE, PAYID, COIN, APK, TIME, and NAME
 * (a word with a capital within a sentence). `START` and `END`: of the text or a sentence; `!word`: must not
 * follow.
 */
export interface Lexicon {
  language: string;
  families: Record<string, string>;
  signals: Partial<Record<SignalKind, Partial<Record<Strength, string[]>>>>;
  legitimacy: Partial<Record<LegitimacyKind, Partial<Record<Strength, string[]>>>>;
}
