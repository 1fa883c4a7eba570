import type { MailReading, MailSign } from '@casefile/contracts';
import { getDomain, parse } from 'tldts';
import { hostSuspicion, isOwnDomain } from '../text-signals/structural-signals.js';
import { registrable } from './domains.js';
import { isFreeProvider } from './free-providers.js';

/** Weights of the signs, as those of a text: 1 is one plain request. */
const WEIGHTS = {
  hostedPage: 1,
  hostedInDiscussion: 0.5,
  suspiciousHost: 0.5,
  shownElsewhere: 1,
  shownInNewsletter: 0.5,
  addressInLink: 0.5,
  linksElsewhere: 0.5,
  identifiesElsewhere: 0.5,
  picture: 1,
  hiddenText: 0.5,
  tagsLeft: 1,
} as const;
/** Maximum number of values that a sign names. */
const NAMED = 3;
/** Hidden letters that are more than the preview line of a newsletter. */
const MOST_HIDDEN = 300;
/** Different sites from which a mail is a digest of them, so that it does not lead to one page. */
const DIGEST_FROM = 4;
/** Suffixes below which readers write diaries, so that honest mails name them. */
const DIARIES = new Set(['blogspot.com', 'github.io', 'gitlab.io', 'readthedocs.io', 'dreamwidth.org']);

/**
 * Returns the signs in the links and the page of a mail.
 * @param own registrable domains of the sender, and of the service that sends a newsletter
 * @param form `newsletter`: clicks may be counted, so links show another address than they lead to. `discussion`: sent
 *   to the members of a list, who cite other sites
 */
export function linkSigns(
  { links, page }: Pick<MailReading, 'links' | 'page'>,
  own: readonly string[],
  form: 'newsletter' | 'discussion' | 'mail',
): MailSign[] {
  const isNewsletter = form !== 'mail';
  const isDiscussion = form === 'discussion';
  const isOwn = (host: string) => own.includes(registrable(host));
  const others = links.filter(({ host }) => !isOwn(host) && !isOwnDomain(host));
  const sites = new Set(others.map(({ host }) => registrable(host)));
  // The domain of a free provider is that of its users only as senders.
  const isElsewhere =
    !isDiscussion &&
    sites.size > 0 &&
    sites.size < DIGEST_FROM &&
    others.length === links.length &&
    !own.some(isFreeProvider);
  const shown = links.filter((link) => isShownElsewhere(link, isOwn, isNewsletter));
  const isIdentified = isElsewhere && others.some(({ hasIdentifier }) => hasIdentifier);
  const withAddress = others.filter(({ hasAddress }) => hasAddress);
  const made = others.filter(({ host }) => hostSuspicion(host) === 2);
  const sign = (kind: string, weight: number, words: readonly string[]): MailSign[] =>
    words.length === 0 ? [] : [{ kind, weight, words: [...new Set(words)].slice(0, NAMED) }];
  const isPictured = page?.isPicture === true && isElsewhere;
  return [
    ...sign(
      'link_shows_other',
      isNewsletter ? WEIGHTS.shownInNewsletter : WEIGHTS.shownElsewhere,
      shown.map(({ host, shown: text }) => `${text} leads to ${host}`),
    ),
    ...sign(
      'hosted_page',
      isDiscussion ? WEIGHTS.hostedInDiscussion : WEIGHTS.hostedPage,
      others.map(({ host }) => host).filter(isHosted),
    ),
    ...sign(
      'suspicious_host',
      WEIGHTS.suspiciousHost,
      made.map(({ host }) => host),
    ),
    ...sign('links_elsewhere', WEIGHTS.linksElsewhere, isElsewhere ? [...sites] : []),
    ...sign(
      'identifies_elsewhere',
      WEIGHTS.identifiesElsewhere,
      isIdentified ? others.filter(({ hasIdentifier }) => hasIdentifier).map(({ host }) => host) : [],
    ),
    ...sign(
      'address_in_link',
      isNewsletter ? 0 : WEIGHTS.addressInLink,
      withAddress.map(({ host }) => host),
    ),
    ...sign(
      'text_in_picture',
      WEIGHTS.picture,
      isPictured ? ['hardly any text around a picture that is a link'] : [],
    ),
    ...sign(
      'tags_left',
      WEIGHTS.tagsLeft,
      page?.hasTagsLeft === true ? ['an element that was never closed'] : [],
    ),
    ...sign(
      'hidden_text',
      WEIGHTS.hiddenText,
      (page?.hiddenLetters ?? 0) > MOST_HIDDEN ? [`${page?.hiddenLetters} letters`] : [],
    ),
  ];
}

// Who counts clicks at the own domain shows other addresses. A well-known name that is shown is a sign all the same.
function isShownElsewhere(
  { host, shown }: MailReading['links'][number],
  isOwn: (host: string) => boolean,
  isNewsletter: boolean,
): boolean {
  if (shown === null || isOwnDomain(host)) return false;
  return isOwnDomain(shown) ? !isNewsletter : !(isNewsletter || isOwn(host));
}

/** Returns whether anybody may publish pages at a host (the private section of the public suffix list). */
export function isHosted(host: string): boolean {
  const { isPrivate, publicSuffix } = parse(host, { allowPrivateDomains: true });
  return isPrivate === true && !DIARIES.has(publicSuffix ?? '') && getDomain(host) !== null;
}
