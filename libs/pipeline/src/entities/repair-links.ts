import { parse } from 'tldts';
import { isAddress } from './crypto-addresses.js';

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
