import type {
  MailAuthentication,
  MailFindings,
  MailReading,
  MailSign,
  ReadMailHeaders,
} from '@casefile/contracts';
import { getDomain } from 'tldts';
import { isOwnDomain } from '../text-signals/imitated-names.js';
import { mailAuthentication } from './authentication-results.js';
import { isFreeProvider } from './free-providers.js';
import { mailRequests, READ_BY_LEXICON, READ_BY_TEXT_SIGNALS } from './mail-requests.js';
import { senderSigns } from './sender-signs.js';

/** Weights of the signs, as those of a text: 1 is one plain request. */
const WEIGHTS = {
  dmarcFail: 2,
  unauthenticated: 0.5,
  answersElsewhere: 1,
  answersAtFreeProvider: 1.5,
  passwordForm: 2,
  attachedForm: 1,
  program: 2,
  attachedPage: 1,
  macros: 1,
  archive: 0.5,
  shownElsewhere: 0.5,
  addressInLink: 0.5,
  linksElsewhere: 0.5,
  hiddenReceivers: 0.5,
  request: 1,
  requestOfReadText: 0.5,
  deadline: 0.5,
} as const;
/** Maximum number of values that a sign names. */
const NAMED = 3;

/**
 * Weighs the facts about a mail. The headers of a mail that only asks about a forwarded one are not weighed: the
 * forwarded one is. Its headers prove nothing for its sender, because they were never authenticated here.
 */
export const readMailHeaders: ReadMailHeaders = (mail, { text, language }, trusted) => {
  const { forwarded } = mail;
  const envelope = forwarded ?? mail;
  const authentication: MailAuthentication =
    forwarded === null
      ? mailAuthentication(mail.authenticationResults, trusted)
      : { checked: false, why: 'the results in the headers are of the mail that forwards it' };
  const form = forwarded === null ? formOf(mail) : 'forwarded';
  const sender = domainOf(envelope.from?.address);
  // The words of languages with rules are weighed by text_signals too.
  const each = READ_BY_TEXT_SIGNALS.has(language) ? WEIGHTS.requestOfReadText : WEIGHTS.request;
  const requests = mailRequests(text, language).map(({ kind, words }) => ({
    kind,
    weight: kind === 'asks_deadline' ? Math.min(each, WEIGHTS.deadline) : each,
    words,
  }));
  const isNewsletter = form === 'newsletter';
  const signals = [
    ...authenticationSigns(authentication, sender),
    // A nickname leads nobody anywhere.
    ...senderSigns(envelope.from).filter(({ kind }) => kind !== 'sender_unlike' || mail.links.length > 0),
    ...answerSigns(envelope, isNewsletter),
    ...contentSigns(mail),
    ...(isNewsletter ? [] : linkSigns(mail, sender)),
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
    ownDomains: isNewsletter ? ownDomains(mail, sender, isAuthentic(authentication, sender)) : [],
    isRead,
    requests,
  };
};

const sum = (signs: readonly MailSign[]) => signs.reduce((all, { weight }) => all + weight, 0);
const baseOf = (language: string) => (language === 'hi-Latn' ? language : (language.split('-')[0] ?? ''));

function domainOf(address: string | null | undefined): string {
  const host = (address ?? '').slice((address ?? '').lastIndexOf('@') + 1);
  return registrable(host);
}

const registrable = (host: string) => (getDomain(host) ?? host).toLowerCase();

function formOf({ list, isReply }: MailReading): MailFindings['form'] {
  if (list !== null) return 'newsletter';
  return isReply ? 'reply' : 'mail';
}

/** Returns whether a trusted server found that DMARC passes for the visible sender. */
function isAuthentic(authentication: MailAuthentication, sender: string): boolean {
  const results = dmarcOf(authentication, sender);
  return results.length > 0 && results.every(({ result }) => result === 'pass');
}

// A result about another domain says nothing about the sender that the reader sees.
function dmarcOf(authentication: MailAuthentication, sender: string) {
  if (!authentication.checked) return [];
  return authentication.methods.filter(
    ({ method, domain }) => method === 'dmarc' && (domain === '' || registrable(domain) === sender),
  );
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
  isNewsletter: boolean,
): MailSign[] {
  const sender = domainOf(from?.address);
  const others = replyTo.filter(({ address }) => address !== from?.address && isElsewhere(address, sender));
  if (from === null || others.length === 0) return [];
  const isFree = others.some(({ address }) => isFreeProvider(domainOf(address)));
  // Newsletters often take answers at the domain of a service for support.
  const weight =
    isNewsletter && !isFree ? 0 : isFree ? WEIGHTS.answersAtFreeProvider : WEIGHTS.answersElsewhere;
  return [
    {
      kind: isFree ? 'answers_at_free_provider' : 'answers_elsewhere',
      weight,
      words: others.map(({ address }) => address).slice(0, NAMED),
    },
  ];
}

function isElsewhere(address: string, sender: string): boolean {
  const domain = domainOf(address);
  return domain !== sender || isFreeProvider(domain);
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

// Newsletters count clicks through the service that sends them, so their links are not weighed.
function linkSigns({ links }: MailReading, sender: string): MailSign[] {
  const shown = links.flatMap((link) => (link.shown === null ? [] : [`${link.shown} leads to ${link.host}`]));
  const hosts = [...new Set(links.map(({ host }) => registrable(host)))];
  const withAddress = links.filter(({ hasAddress }) => hasAddress).map(({ host }) => host);
  const isElsewhereOnly =
    hosts.length > 0 &&
    !isFreeProvider(sender) &&
    hosts.every((host) => host !== sender && !isOwnDomain(host));
  return [
    {
      kind: 'link_shows_other',
      weight: shown.length > 0 ? WEIGHTS.shownElsewhere : 0,
      words: shown.slice(0, NAMED),
    },
    {
      kind: 'links_elsewhere',
      weight: isElsewhereOnly ? WEIGHTS.linksElsewhere : 0,
      words: hosts.slice(0, NAMED),
    },
    {
      kind: 'address_in_link',
      weight: withAddress.length > 0 ? WEIGHTS.addressInLink : 0,
      words: withAddress.slice(0, NAMED),
    },
  ];
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

/**
 * Returns the domains that send a newsletter: that of the sender, and of the service that it uses. Anybody can write
 * list headers, so a service counts only if errors and unsubscriptions go to one domain, or DMARC passes.
 */
function ownDomains(mail: MailReading, sender: string, isProven: boolean): string[] {
  const { list, returnPath } = mail;
  if (list === null || sender === '' || isFreeProvider(sender)) return [];
  const unsubscribe = list.unsubscribe.map(registrable);
  // A list gets its mails at the domain that also names it.
  const others = [returnPath, ...[...mail.to, ...mail.cc].map(({ address }) => address)].map(domainOf);
  const listed = [...unsubscribe, registrable(/<?([\w.-]{1,255})>?\s*$/.exec(list.id)?.[1] ?? '')];
  const services = listed.filter(
    (domain) => domain !== '' && (isProven || domain === sender || others.includes(domain)),
  );
  const isListed = unsubscribe.length > 0 || list.id !== '';
  return isListed ? [...new Set([sender, ...services])] : [];
}
