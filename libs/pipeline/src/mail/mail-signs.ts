import type { MailAuthentication, MailReading, MailSign, ReadMailHeaders } from '@casefile/contracts';
import { detectLanguage, UNDETERMINED } from '../language/detect-language.js';
import { mailAuthentication } from './authentication-results.js';
import { domainOf, hostOf } from './domains.js';
import { isFreeProvider } from './free-providers.js';
import { hasHardlyAnyText, isLetter } from './letters.js';
import { linkSigns } from './link-signs.js';
import { dmarcOf, mailForm } from './mail-form.js';
import { mailRequests, READ_BY_LEXICON, READ_BY_TEXT_SIGNALS } from './mail-requests.js';
import { senderSigns } from './sender-signs.js';
import lists from './lexicons/forms.json' with { type: 'json' };

/** Weights of the signs, as those of a text: 1 is one plain request. */
const WEIGHTS = {
  dmarcFail: 2,
  unauthenticated: 0.5,
  answersElsewhere: 1,
  answersAtFreeProvider: 1.5,
  writesToFreeProvider: 1,
  passwordForm: 2,
  attachedForm: 1,
  program: 2,
  attachedPage: 1,
  macros: 1,
  archive: 0.5,
  hiddenReceivers: 0.5,
  hardlyAnyText: 1,
  calledByAddress: 1,
  newsletterCallsByAddress: 0.5,
  request: 1,
  requestOfReadText: 0.5,
  deadline: 0.5,
} as const;
/** Maximum number of values that a sign names. */
const NAMED = 3;
/** UTF-16 units of a text in which its reader is greeted, and greetings in it that are examined. */
const GREETING = 3_000;
const MOST_GREETINGS = 10;
const GREETINGS = new Set(Object.values(lists.greet).join('/').split('/'));

/**
 * Weighs the facts about a mail. The headers of a mail that only asks about a forwarded one are not weighed: the
 * forwarded one is. Its headers prove nothing for its sender, because they were never authenticated here.
 */
export const readMailHeaders: ReadMailHeaders = async (mail, { text, language: named }, trusted) => {
  const language = named === UNDETERMINED ? (await detectLanguage(text)).code : named;
  const { forwarded } = mail;
  const envelope = forwarded ?? mail;
  const authentication: MailAuthentication =
    forwarded === null
      ? mailAuthentication(mail.authenticationResults, trusted)
      : { checked: false, why: 'the results in the headers are of the mail that forwards it' };
  const sender = domainOf(envelope.from?.address);
  const { form, ownDomains, citesLinks, isLong } = mailForm(mail, text, isAuthentic(authentication, sender));
  // The words of languages with rules are weighed by text_signals too.
  const each = READ_BY_TEXT_SIGNALS.has(language) ? WEIGHTS.requestOfReadText : WEIGHTS.request;
  const requests = mailRequests(text, language).map(({ kind, words }) => ({
    kind,
    weight: kind === 'asks_deadline' ? Math.min(each, WEIGHTS.deadline) : each,
    words,
  }));
  const isNewsletter = ownDomains.length > 0;
  const signals = [
    ...authenticationSigns(authentication, sender),
    ...senderSigns(envelope.from, mail.links, isNewsletter),
    ...(forwarded === null ? addressedSigns(mail.to, text, isNewsletter) : []),
    ...answerSigns(envelope, ownDomains),
    ...(form === 'mail' ? writingSigns(mail) : []),
    ...(isNewsletter || !['mail', 'newsletter'].includes(form) ? [] : lengthSigns(mail, text)),
    ...contentSigns(mail),
    ...linkSigns(
      mail,
      ownDomains.length > 0 ? ownDomains : [sender],
      form === 'discussion' ? 'discussion' : isNewsletter ? 'newsletter' : 'mail',
    ),
    ...(forwarded === null ? receiverSigns(mail) : []),
  ].filter(({ weight }) => weight > 0);
  const isRead = READ_BY_LEXICON.has(baseOf(language));
  const share = isNewsletter ? 0.5 : 1;
  return {
    form,
    authentication,
    signals,
    legitimacy: forwarded === null ? legitimacyOf(authentication, sender) : [],
    weight: sum(signals) + share * sum(requests),
    ownDomains,
    citesLinks,
    isLong,
    isLetter: requests.length === 0 && isLetter(mail, text, language),
    isRead,
    requests,
  };
};

const sum = (signs: readonly MailSign[]) => signs.reduce((all, { weight }) => all + weight, 0);
const baseOf = (language: string) => (language === 'hi-Latn' ? language : (language.split('-')[0] ?? ''));

/** Returns whether a trusted server found that DMARC passes for the visible sender. */
function isAuthentic(authentication: MailAuthentication, sender: string): boolean {
  const results = dmarcOf(authentication, sender);
  return results.length > 0 && results.every(({ result }) => result === 'pass');
}

function authenticationSigns(authentication: MailAuthentication, sender: string): MailSign[] {
  if (!authentication.checked) return [];
  if (dmarcOf(authentication, sender).some(({ result }) => result === 'fail'))
    return [{ kind: 'dmarc_fail', weight: WEIGHTS.dmarcFail, words: [sender] }];
  const passes = authentication.methods.some(
    ({ method, result }) =>
      result === 'pass' && (method === 'dmarc' || method === 'dkim' || method === 'spf'),
  );
  const fails = authentication.methods.filter(({ result }) => result === 'fail' || result === 'softfail');
  if (passes || fails.length === 0) return [];
  const words = fails.map(({ method, result }) => `${method}=${result}`).slice(0, NAMED);
  return [{ kind: 'unauthenticated', weight: WEIGHTS.unauthenticated, words }];
}

function legitimacyOf(authentication: MailAuthentication, sender: string): MailSign[] {
  return isAuthentic(authentication, sender) ? [{ kind: 'dmarc_pass', weight: 1, words: [sender] }] : [];
}

function answerSigns(
  { from, replyTo }: Pick<MailReading, 'from' | 'replyTo'>,
  ownDomains: readonly string[],
): MailSign[] {
  const sender = domainOf(from?.address);
  const others = replyTo.filter(
    ({ address }) =>
      address !== from?.address && isElsewhere(address, sender) && !ownDomains.includes(domainOf(address)),
  );
  if (from === null || others.length === 0) return [];
  const isFree = others.some(({ address }) => isFreeProvider(hostOf(address)));
  // Newsletters often take answers at the domain of a service for support.
  const weight =
    ownDomains.length > 0 && !isFree ? 0 : isFree ? WEIGHTS.answersAtFreeProvider : WEIGHTS.answersElsewhere;
  return [
    {
      kind: isFree ? 'answers_at_free_provider' : 'answers_elsewhere',
      weight,
      words: others.map(({ address }) => address).slice(0, NAMED),
    },
  ];
}

// A button that writes a mail to another person than the sender gets around every check of links.
function writingSigns({ from, to, writesTo }: MailReading): MailSign[] {
  const known = [from?.address, ...to.map(({ address }) => address)];
  const others = writesTo.filter((address) => !known.includes(address) && isFreeProvider(hostOf(address)));
  // Editors name several people.
  if (others.length !== 1) return [];
  return [{ kind: 'writes_to_free_provider', weight: WEIGHTS.writesToFreeProvider, words: others }];
}

function isElsewhere(address: string, sender: string): boolean {
  return domainOf(address) !== sender || isFreeProvider(hostOf(address));
}

function contentSigns({ forms, attachments }: MailReading): MailSign[] {
  const named = (kind: string, weight: number, words: string[]): MailSign[] =>
    words.length === 0 ? [] : [{ kind, weight, words: [...new Set(words)].slice(0, NAMED) }];
  const sorted = (sort: string) => attachments.filter((one) => one.sort === sort).map(({ name }) => name);
  const secret = forms.filter(({ hasPassword }) => hasPassword).map(({ place }) => place);
  const other = forms
    .filter(({ hasPassword, place }) => !hasPassword && place !== 'body')
    .map(({ place }) => place);
  return [
    ...named('password_form', WEIGHTS.passwordForm, secret),
    ...named('attached_form', WEIGHTS.attachedForm, other),
    ...named('attached_program', WEIGHTS.program, sorted('program')),
    ...named('attached_page', WEIGHTS.attachedPage, sorted('page')),
    ...named('attached_macros', WEIGHTS.macros, sorted('macros')),
    ...named('attached_archive', WEIGHTS.archive, sorted('archive')),
  ];
}

function lengthSigns(mail: MailReading, text: string): MailSign[] {
  return hasHardlyAnyText(mail, text)
    ? [{ kind: 'hardly_any_text', weight: WEIGHTS.hardlyAnyText, words: [] }]
    : [];
}

function receiverSigns({ from, to, cc, list }: MailReading): MailSign[] {
  if (list !== null) return [];
  const isSelf = to.length === 1 && to[0]?.address === from?.address;
  const isHidden = to.length === 0 && cc.length === 0;
  return [
    {
      kind: 'hidden_receivers',
      weight: isHidden || isSelf ? WEIGHTS.hiddenReceivers : 0,
      words: [isSelf ? 'sent to its own sender' : 'no receiver is named'],
    },
  ];
}

/** Who knows a person, or has an account of theirs, does not call them by their address. */
function addressedSigns(to: MailReading['to'], text: string, isNewsletter: boolean): MailSign[] {
  const [receiver] = to;
  if (receiver === undefined || to.length > 1 || !receiver.address.includes('@')) return [];
  const weight = isNewsletter ? WEIGHTS.newsletterCallsByAddress : WEIGHTS.calledByAddress;
  const head = text.slice(0, GREETING).toLowerCase();
  const subject = /^subject: ([^\n]{0,500})/m.exec(head)?.[1] ?? '';
  const isCalled = subject.includes(receiver.address) || isGreeted(head, receiver.address);
  return isCalled ? [{ kind: 'called_by_address', weight, words: [receiver.address] }] : [];
}

function isGreeted(text: string, address: string): boolean {
  let at = text.indexOf(address);
  for (let i = 0; at !== -1 && i < MOST_GREETINGS; i += 1) {
    const before = /(\p{L}{1,20})[\s,:<"']{1,5}$/u.exec(text.slice(Math.max(0, at - 30), at))?.[1] ?? '';
    if (GREETINGS.has(before)) return true;
    at = text.indexOf(address, at + address.length);
  }
  return false;
}
