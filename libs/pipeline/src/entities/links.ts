import { domainToASCII, domainToUnicode } from 'node:url';
import { remove as lookAlike } from 'confusables';
import { getDomain } from 'tldts';
import { withDigitsForMasks } from '../masked-values.js';
import { find } from './find-links.js';

const MAX_LENGTH = 2_048;

export interface Links {
  emails: string[];
  urls: string[];
  domains: string[];
  notes: string[];
  /** The same text with links and addresses blanked out, at the same length. */
  rest: string;
}

interface Link {
  email?: string;
  url?: string;
  host: string;
  notes: string[];
}

/** E-mail addresses, URLs and registrable domains (ASCII form of IDNA), in order of appearance. */
export function findLinks(text: string): Links {
  const candidates = find(withDigitsForMasks(text))
    .filter(({ type }) => type === 'url' || type === 'email')
    .map((match) => asWritten(match, text));
  const links = candidates.map((match) =>
    match.type === 'email' ? emailOf(match.value) : urlOf(match.value, match.href),
  );
  const domains = links.map(({ host }) => hostDomain(host)).filter((domain) => domain !== null);
  return {
    emails: links.flatMap(({ email }) => email ?? []),
    urls: links.flatMap(({ url }) => url ?? []),
    domains,
    notes: [...links.flatMap(({ notes }) => notes), ...[...new Set(domains)].flatMap(lookAlikeNote)],
    rest: blankedText(text, candidates),
  };
}

// The link with its masked values, which were read as digits.
function asWritten<M extends { value: string; href: string; start: number; end: number }>(
  match: M,
  text: string,
): M {
  const value = text.slice(match.start, match.end);
  return { ...match, value, href: match.href.replace(match.value, () => value) };
}

function emailOf(value: string): Link {
  const at = value.lastIndexOf('@');
  const host = domainToASCII(value.slice(at + 1)) || value.slice(at + 1);
  return { email: `${value.slice(0, at)}@${host}`.toLowerCase().slice(0, MAX_LENGTH), host, notes: [] };
}

// A bare domain ("example.com") counts as a domain only. With a scheme, "www." or a path it is a URL too.
function urlOf(value: string, href: string): Link {
  if (!URL.canParse(href)) return { url: href.slice(0, MAX_LENGTH), host: '', notes: [] };
  const url = new URL(href);
  const written = /^[a-z]{2,10}:\/\//i.test(value) || /^www\./i.test(value) || value.includes('/');
  const kept = url.href.slice(0, MAX_LENGTH);
  const cut = kept === url.href ? [] : [`A link of ${url.href.length} characters was cut to ${MAX_LENGTH}.`];
  const lure =
    url.username.includes('.') && written
      ? [`A link shows "${url.username}" but leads to "${url.hostname}".`]
      : [];
  return { ...(written ? { url: kept } : {}), host: url.hostname, notes: [...cut, ...lure] };
}

function hostDomain(host: string): string | null {
  const domain = getDomain(host);
  return domain === null || domain === '' ? null : domain.toLowerCase();
}

// Homoglyphs: a name with letters of another script that looks like a Latin name.
function lookAlikeNote(domain: string): string[] {
  if (!domain.includes('xn--')) return [];
  const shown = domainToUnicode(domain);
  const plain = lookAlike(shown).toLowerCase();
  if (!/^[\x21-\x7e]+$/.test(plain)) return [`The domain ${domain} is shown as "${shown}".`];
  return [`The domain ${domain} is shown as "${shown}" and looks like "${plain}".`];
}

function blankedText(text: string, spans: { start: number; end: number }[]): string {
  let from = 0;
  const parts = spans.map(({ start, end }) => {
    const part = text.slice(from, start) + ' '.repeat(end - start);
    from = end;
    return part;
  });
  return parts.join('') + text.slice(from);
}
