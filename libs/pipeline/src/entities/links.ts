import { find, registerPlugin } from 'linkifyjs';
import { domainToASCII, domainToUnicode } from 'node:url';
import { remove as lookAlike } from 'confusables';
import { getDomain, parse } from 'tldts';
import { isAddress } from './crypto-addresses.js';

/** Placeholders of intake for a secret and for a one-time code of a stated length, with `a` if the code has letters. */
const PLACEHOLDER = /\[(?:masked|code:(\d{1,2})(a?))\]/g;
/** Digits for a secret, of the length of its placeholder. */
const DIGITS = '00000000';

/**
 * Returns the text with digits in place of masked values, at the same length. Parsers of links and words then
 * read `https://[masked]@host/` as a link and a one-time code as a code of its length, with blanks after it.
 */
export function withDigitsForMasks(text: string): string {
  return text.replaceAll(PLACEHOLDER, (written, length?: string, letters?: string) => {
    if (length === undefined) return DIGITS;
    const code = `${letters === 'a' ? 'A' : ''}${DIGITS}`.slice(0, Number(length));
    return code.padEnd(written.length);
  });
}

// linkifyjs does not know the reserved top-level domain for examples. A plugin counts only if it is registered before
// the first search, so every search imports this file.
registerPlugin('reserved-example', ({ scanner }) => {
  scanner.start.ts('example', 'TLD', { ascii: true, asciiTld: true });
});

export { find };

const MAX_LENGTH = 2_048;

interface Links {
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

/** Lines that one link may take. */
const MOST_LINES = 6;
/** A link that may continue in the next line. Its parts are bounded, so that no text makes this slow. */
const AT_END = /(?:\bhttps?:\/\/|\bwww\.)[^\s<>"]{0,500}$/i;
/** Characters after which browsers and phones break a link. */
const BREAKS_AFTER = /[-/?.=&_%#]$/;
const CONTINUATION = /^[\w\-.~:/?#@!$&*+,;=%]{1,500}/;
/** Reserved names, which no list of suffixes contains. */
const RESERVED_ENDS = new Set(['example', 'test', 'invalid', 'localhost']);
/** The first part of a wallet address at the end of a line, followed by an empty line if OCR inserts one. */
const LONG_WORD =
  /(?<![A-Za-z0-9])([A-Za-z0-9]{12,90})[ \t]{0,3}\n[ \t]{0,3}\n?([A-Za-z0-9]{1,62})(?![A-Za-z0-9])/g;

/**
 * OCR misreadings of the beginning of a link: similar letters, and a lost colon or slash. Never applied
 * within a link, whose letters belong to its path.
 */
const SCHEME =
  /(?<![\w./?=&#%~-])(?:https?|h[il1t][il1t]ps?|[nb]ttps?|httos)[ \t]?(?::[ \t]?\/{1,2}|;\/{1,2}|\/\/)[ \t]?(?=[a-z0-9-]{1,63}(?:\.|-[ \t]{0,3}\n))/gi;

/** A text with complete links, and a note for each kind of repair. */
export interface RepairedText {
  text: string;
  notes: string[];
}

/**
 * Repairs links in OCR output and copied messages: a misread `https://`, and a link or wallet address that
 * continues on the next line. Lines are joined only if the end of the first is incomplete or a character
 * after which links break.
 */
export function repairLinks(text: string): RepairedText {
  const schemes = text.replace(SCHEME, (scheme) =>
    /^\S{0,6}s[ \t]?[:;/]/i.test(scheme) ? 'https://' : 'http://',
  );
  if (!text.includes('\n')) return { text: schemes, notes: notesOf(text, schemes, schemes, schemes) };
  const addresses = schemes.replace(LONG_WORD, (word, head: string, tail: string) =>
    !isAddress(head) && isAddress(head + tail) ? head + tail : word,
  );
  const links = joinLinks(addresses);
  return { text: links, notes: notesOf(text, schemes, addresses, links) };
}

function notesOf(text: string, schemes: string, addresses: string, links: string): string[] {
  return [
    ...(isRewritten(text, schemes)
      ? ['The beginning of a link was misread or misspelled and was repaired.']
      : []),
    ...(addresses === schemes ? [] : ['A wallet address that was broken over lines was joined.']),
    ...(links === addresses ? [] : ['A link that was broken over lines was joined.']),
  ];
}

// `HTTPS://` is another spelling, not an error.
function isRewritten(before: string, after: string): boolean {
  return before !== after && before.toLowerCase() !== after.toLowerCase();
}

function joinLinks(text: string): string {
  const lines = text.split('\n');
  const joined: string[] = [];
  let taken = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const before = joined.at(-1) ?? '';
    // OCR may put an empty line between the lines of one bubble.
    const isGap = before === '' && joined.length > 1;
    const open = isGap ? (joined.at(-2) ?? '') : before;
    if (taken < MOST_LINES && goesOn(open, line)) {
      if (isGap) joined.pop();
      joined[joined.length - 1] = open.trimEnd() + line.trimStart();
      taken += 1;
    } else {
      joined.push(line);
      if (line.trim() !== '') taken = 0;
    }
  }
  return joined.join('\n');
}

function goesOn(line: string, next: string): boolean {
  const link = AT_END.exec(line.slice(-600).trimEnd())?.[0];
  const more = CONTINUATION.exec(next.trimStart())?.[0];
  if (link === undefined || more === undefined || /^(?:https?:|www\.)/i.test(more)) return false;
  const host = linkHost(link);
  // The host is incomplete, so the next line is the rest of it.
  if (host !== null && !isWhole(host)) return isWhole(linkHost(link + more) ?? '') || /[-.]$/.test(more);
  if (!BREAKS_AFTER.test(link)) return false;
  if (/[-.]$/.test(link) && host !== null && link.endsWith(host)) return isWhole(linkHost(link + more) ?? '');
  // The rest of a path is recognised because it does not look like a word of a sentence.
  return /[\d\-_/=&?%]/.test(more) || more === next.trim();
}

/** The host at the beginning of a link, possibly incomplete; null: the link continues past the host. */
function linkHost(link: string): string | null {
  const rest = link.replace(/^https?:\/\//i, '');
  return /^[^/?#]*/.exec(rest)?.[0] ?? null;
}

function isWhole(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  const end = name.slice(name.lastIndexOf('.') + 1);
  if (!name.includes('.') || end === '' || name.endsWith('-')) return false;
  return RESERVED_ENDS.has(end) || (parse(name).isIcann ?? false);
}

/** Characters from which a line counts as wrapped, not as a heading or a button. */
const FULL_LINE = 20;

/**
 * Joins the lines of one bubble into sentences, because rules over words stop at the end of a line. A line
 * that ends with a figure is never joined to one that begins with a figure.
 */
export function unwrapLines(text: string): string {
  const joined: string[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    const isGap = joined.at(-1) === '';
    const before = (isGap ? joined.at(-2) : joined.at(-1)) ?? '';
    if (!wraps(before, line, isGap)) {
      joined.push(line);
      continue;
    }
    if (isGap) joined.pop();
    joined[joined.length - 1] = `${before} ${line}`;
  }
  return joined.join('\n');
}

function wraps(line: string, next: string, isGap: boolean): boolean {
  if (line === '' || next === '' || /[.!?:;\u0964]$/.test(line)) return false;
  if (/\d$/.test(line) && /^[\d(+]/.test(next)) return false;
  return /^\p{Ll}/u.test(next) || (!isGap && line.length >= FULL_LINE);
}
