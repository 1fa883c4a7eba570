import type { MailAddress, MailReading, MailSign } from '@casefile/contracts';
import { getDomain } from 'tldts';
import { find } from '../entities/links.js';
import { hostSuspicion, imitatedName, namedBrand } from '../text-signals/structural-signals.js';
import { registrable } from './domains.js';
import { isFreeProvider } from './free-providers.js';
import { isHosted } from './link-signs.js';
import lists from './lexicons/roles.json' with { type: 'json' };

const ROLES = new Set(lists.roles.split('/').flatMap((role) => role.split(' ')));
const MAILBOX = lists.mailbox.split('/');
/** Marked Latin letters from which a name is disguised. */
const MARKED_FROM = 3;
/** Words that stand next to a name of a company. */
const FILLERS = new Set(
  'the inc ltd gmbh llc co com net online express center centre message notice info your my us uk'.split(' '),
);

/**
 * Returns the signs in the visible sender of a mail: a display name that is not that of the domain, a domain that
 * imitates another one, a role of a company at a free provider, and a domain below which anybody may publish.
 * @param links links of the mail: a nickname leads nobody anywhere, and a site may bear the name of its sender
 */
export function senderSigns(
  from: MailAddress | null,
  links: MailReading['links'],
  isNewsletter: boolean,
): MailSign[] {
  if (from === null) return [];
  const host = from.address.slice(from.address.lastIndexOf('@') + 1);
  const domain = registrable(host);
  const words = from.name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const [sign] = [
    ...disguisedName(from.name),
    ...shownAddress(from, domain, links, isNewsletter),
    ...imitatedSender(host),
    ...namedCompany(words, host, from.address),
    ...roleAtFreeProvider(words, host),
    ...unlikeAddress(words, from.address, domain, links),
    ...hostedSender(host),
    ...(from.address === '' ? [{ kind: 'sender_without_address', weight: 1, words: [from.name] }] : []),
  ];
  return sign === undefined ? [] : [sign];
}

/** Letters with signs above or below them hide a name from rules. Accents of languages are part of their letters. */
function disguisedName(name: string): MailSign[] {
  const marked = name.normalize('NFC').match(/[a-z]\p{Mn}/giu)?.length ?? 0;
  return marked < MARKED_FROM ? [] : [{ kind: 'disguised_letters', weight: 1, words: [name] }];
}

function shownAddress(
  { name, address }: MailAddress,
  domain: string,
  links: MailReading['links'],
  isNewsletter: boolean,
): MailSign[] {
  const shown = find(name).filter(({ type }) => type === 'email' || type === 'url');
  const other = shown.find(({ value }) => (getDomain(value) ?? domain) !== domain);
  if (other === undefined) return [];
  const words = [`${other.value} sent by ${address}`];
  // The name of a site is also the name of its newsletter.
  if (other.type !== 'email') return [{ kind: 'sender_shows_site', weight: isNewsletter ? 0.5 : 1, words }];
  // A service that forwards mails to hide an address shows the true sender, to whom the links lead.
  const site = registrable(other.value.slice(other.value.lastIndexOf('@') + 1));
  const isForwarded = links.length > 0 && links.every(({ host }) => registrable(host) === site);
  return [{ kind: 'sender_shows_other', weight: isForwarded ? 0.5 : 2, words }];
}

function unlikeAddress(
  words: readonly string[],
  address: string,
  domain: string,
  links: MailReading['links'],
): MailSign[] {
  const long = words.filter(
    (word) => /^[a-z0-9]{4,40}$/.test(word) && !ROLES.has(word) && !FILLERS.has(word),
  );
  const places = [address, ...links.map(({ host }) => host)];
  if (long.length === 0 || links.length === 0 || isFreeProvider(domain)) return [];
  if (long.some((word) => places.some((place) => place.includes(word)))) return [];
  return [{ kind: 'sender_unlike', weight: 0.5, words: [`${long.join(' ')} sent by ${address}`] }];
}

function imitatedSender(host: string): MailSign[] {
  const imitated = imitatedName(host);
  if (imitated !== null) return [{ kind: 'sender_imitates', weight: 2, words: [host, imitated] }];
  const weight = hostSuspicion(host);
  return weight === 0 ? [] : [{ kind: 'sender_domain', weight, words: [host] }];
}

// A person may be called like a company: another name counts less, and not if it occurs in the address.
function namedCompany(words: readonly string[], host: string, address: string): MailSign[] {
  const named = namedBrand(words, host);
  if (named === null || named.isOwn) return [];
  const others = words.filter((word) => word !== named.brand && !ROLES.has(word) && !FILLERS.has(word));
  const isPerson =
    words[0] !== named.brand || others.some((word) => word.length > 2 && address.includes(word));
  if (others.length > 0 && isPerson) return [];
  const weight = others.length === 0 ? 2 : 1;
  return [{ kind: 'sender_poses', weight, words: [`${named.brand} sent by ${host}`] }];
}

function roleAtFreeProvider(words: readonly string[], domain: string): MailSign[] {
  const line = words.join(' ');
  const mailbox = MAILBOX.find((phrase) => line.includes(phrase));
  if (mailbox !== undefined) return [{ kind: 'sender_poses', weight: 1, words: [mailbox] }];
  const role = isFreeProvider(domain) ? words.find((word) => ROLES.has(word)) : undefined;
  return role === undefined ? [] : [{ kind: 'free_sender', weight: 1, words: [`${role} at ${domain}`] }];
}

function hostedSender(host: string): MailSign[] {
  return isHosted(host) ? [{ kind: 'sender_hosted', weight: 0.5, words: [host] }] : [];
}
