import type { MailAuthentication, MailFindings, MailReading } from '@casefile/contracts';
import { compilePhrases, phraseLine, phrasesIn } from '../language/find-phrases.js';
import { hostSuspicion, isShortener } from '../text-signals/structural-signals.js';
import { domainOf, registrable } from './domains.js';
import { isFreeProvider } from './free-providers.js';
import lists from './lexicons/forms.json' with { type: 'json' };
import { isHosted } from './link-signs.js';

/** Words from which a text is long: single words of a list say little in it. */
const LONG_FROM = 200;
/** Different sites besides those of the sender from which a long text is a digest of them. */
const DIGEST_FROM = 3;
/** Links to its sender from which a mail without list headers is a digest: mails that deceive lead to a single page. */
const MANY_LINKS = 10;
/** Links to its sender that suffice if they are most of its links, and the name of the sender is that of its address. */
const SEVERAL = 2;
/** Different sites of a digest per site that has an unusual name by chance. */
const MANY_SITES = 20;
/** UTF-16 units of a text that are searched for phrases, at its beginning and at its end. */
const HEAD = 20_000;
const TAIL = 4_000;

/** Quoted lines, or the line above them: anybody can write the headers of an answer, but it also shows what it answers. */
const QUOTE =
  /^[>|]\s?\S|(?<!\p{L})(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu)\s{0,3}:\s{0,3}$|^-{3,}\s?Original/mu;

const compiled = () => ({ leave: compilePhrases(lists.leave), open: compilePhrases(lists.open) });
/** Compiled at the first mail. */
let phrases: ReturnType<typeof compiled> | null = null;

/** What a mail is by its form, with the domains that are the sender's own. */
export type MailForm = Pick<MailFindings, 'form' | 'ownDomains' | 'citesLinks' | 'isLong'>;

/**
 * Returns the form of a mail. Anybody can write list headers, so a service that sends a newsletter counts as own only if
 * errors and unsubscriptions go to one domain, or DMARC passes. Linear in the length of the text.
 */
export function mailForm(mail: MailReading, text: string, isProven: boolean): MailForm {
  const read = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  const line = phraseLine(read);
  phrases ??= compiled();
  const isLong = line.split(' ').length > LONG_FROM;
  const sender = domainOf(mail.from?.address);
  const isFree = sender === '' || isFreeProvider(sender);
  const hosts = mail.links.map(({ host }) => host);
  const toSender = hosts.filter((host) => registrable(host) === sender).length;
  const sites = new Set(hosts.map(registrable)).size;
  const isOnSite = toSender >= SEVERAL && toSender * 2 > hosts.length && isNamedLikeAddress(mail.from);
  // Anybody can write a footer. Mails that deceive lead to a single page, or borrow the name of another sender.
  const hasFooter =
    isLong &&
    !isFree &&
    toSender > 0 &&
    (toSender >= MANY_LINKS || sites > DIGEST_FROM || isOnSite) &&
    phrasesIn(line, phrases.leave, 1).length > 0;
  const form = formOf(mail, hasFooter);
  if (mail.forwarded !== null) return { form: 'forwarded', ownDomains: [], citesLinks: false, isLong };
  // A newsletter from a free provider names nobody. The members of a list write from anywhere.
  const isListed = form === 'discussion' || (form === 'newsletter' && !isFree);
  const ownDomains = isListed ? domainsOfList(mail, isFree ? '' : sender, isProven) : [];
  const others = new Set(hosts.map(registrable).filter((domain) => !ownDomains.includes(domain)));
  const isOwn = (host: string) => ownDomains.includes(registrable(host));
  // Links of a sender to other sites add nothing to what its own site may do.
  const isDigest =
    form === 'newsletter' &&
    isLong &&
    ownDomains.length > 0 &&
    (others.size >= DIGEST_FROM || hosts.some(isOwn));
  const isDiscussion =
    (mail.isReply && QUOTE.test(read)) ||
    (form === 'discussion' && !hosts.some((host) => registrable(host) === sender));
  const isOpen = phrasesIn(line, phrases.open, 1).length > 0;
  const made = hosts.filter((host) => !isOwn(host) && (hostSuspicion(host) > 0 || isHosted(host)));
  const isByChance = new Set(made).size * MANY_SITES <= sites && made.every(isOnlyUnusual);
  const isMade = made.length > 0 && !(isDigest && isByChance);
  return { form, ownDomains, isLong, citesLinks: !isMade && (isDigest || (isDiscussion && !isOpen)) };
}

/** Returns whether a word of the visible name of a sender occurs in its address; also without a name. */
function isNamedLikeAddress(from: MailReading['from']): boolean {
  const name = from?.name.toLowerCase().replace(/\.[a-z]{2,10}(?![\p{L}\p{N}])/gu, '') ?? '';
  const words = name.match(/[\p{L}\p{N}]{3,40}/gu) ?? [];
  return words.length === 0 || words.some((word) => from?.address.includes(word));
}

/** Returns whether a host has an unusual ending or name, but does not hide whose page it is. */
function isOnlyUnusual(host: string): boolean {
  return hostSuspicion(host) <= 1 && !isShortener(host) && !isHosted(host);
}

function formOf({ list, to, cc, isReply }: MailReading, hasFooter: boolean): MailFindings['form'] {
  const listed = listDomains(list);
  if ([...to, ...cc].some(({ address }) => listed.includes(domainOf(address)))) return 'discussion';
  if (list !== null || hasFooter) return 'newsletter';
  return isReply ? 'reply' : 'mail';
}

function listDomains(list: MailReading['list']): string[] {
  const id = /<?([\w.-]{1,255})>?\s*$/.exec(list?.id ?? '')?.[1] ?? '';
  return [...(list?.unsubscribe ?? []), id].map(registrable).filter((domain) => domain !== '');
}

/** Returns the domains of the sender of a list and of the services that it uses. @param sender '' at a free provider */
function domainsOfList(
  { list, returnPath, to, cc }: MailReading,
  sender: string,
  isProven: boolean,
): string[] {
  // A list gets its mails at the domain that also names it.
  const others = [returnPath, ...[...to, ...cc].map(({ address }) => address)].map(domainOf);
  const listed = [
    ...(list?.unsubscribe ?? []),
    /<?([\w.-]{1,255})>?\s*$/.exec(list?.id ?? '')?.[1] ?? '',
  ].map(registrable);
  const services = listed.filter(
    (domain) =>
      domain !== '' && !isFreeProvider(domain) && (isProven || domain === sender || others.includes(domain)),
  );
  return [...new Set([sender, ...services])].filter((domain) => domain !== '');
}

/** Returns the results of DMARC for a domain; empty: it was not checked. A result about another domain says nothing. */
export function dmarcOf(authentication: MailAuthentication, sender: string) {
  if (!authentication.checked) return [];
  return authentication.methods.filter(
    ({ method, domain }) => method === 'dmarc' && (domain === '' || registrable(domain) === sender),
  );
}
