import { find, withDigitsForMasks } from '../entities/links.js';
import { getDomain, getPublicSuffix } from 'tldts';
import { WEIGHTS, type Lexicon, type Strength, type LegitimacyKind, type SignalKind } from './kinds.js';
import { foldedFor } from './tokens.js';

/** One construction, compiled for searching. */
export interface Construction<K extends string> {
  kind: K;
  weight: number;
  pattern: RegExp;
}

const GAP = 3;
const SIGNS: Record<string, string> = {
  $: '(?:MONEY|NUM)',
  '#': '(?:MONEY|NUM|DIGIT)',
  NAME: String.raw`[^ .^]+\^`,
  LINK: 'LINK<?',
  // A link that stands in the text itself. Words with a link behind them are what the reader clicks, not a request.
  WRITTEN_LINK: 'LINK',
};
/** After the last word of an element: a mark that it is a name, and the blank. */
const AFTER = String.raw`\^? `;

/**
 * Compiles every construction of one part of a lexicon. Each repeat is limited, so searching takes time
 * linear in the text.
 */
export function lexiconConstructions<K extends string>(
  { language, families }: Lexicon,
  groups: Partial<Record<K, Partial<Record<Strength, string[]>>>>,
): Construction<K>[] {
  const entries = Object.entries(groups) as [K, Partial<Record<Strength, string[]>>][];
  return entries.flatMap(([kind, byStrength]) =>
    (Object.entries(byStrength) as [Strength, string[]][]).flatMap(([strength, lines]) =>
      lines.map((line) => ({ kind, weight: WEIGHTS[strength], pattern: buildPattern(line) })),
    ),
  );

  function buildPattern(line: string): RegExp {
    const [first, ...others] = line.split(/\s+/);
    const isAtStart = first === 'START';
    const elements = isAtStart ? others : [first ?? '', ...others];
    return new RegExp((isAtStart ? '(?<=^ )' : '(?<= )') + elements.map(elementFor).join(''), 'u');
  }

  function elementFor(element: string): string {
    const [, gap] = /^~(\d*)$/.exec(element) ?? [];
    if (gap !== undefined) return `(?:[^ .]+ ){0,${gap === '' ? GAP : gap}}?`;
    if (element === 'END') return String.raw`(?:\. |$)`;
    if (element.startsWith('!')) return `(?!${alternativesOf(element.slice(1))}${AFTER})`;
    if (element.startsWith('?')) return `(?:${alternativesOf(element.slice(1))}${AFTER})?`;
    return alternativesOf(element) + (element === 'NAME' ? ' ' : AFTER);
  }

  function alternativesOf(element: string): string {
    return `(?:${element.split('/').flatMap(wordsOf).join('|')})`;
  }

  function wordsOf(alternative: string): string[] {
    const sign = SIGNS[alternative];
    if (sign !== undefined) return [sign];
    if (!alternative.startsWith('@')) return [wordOf(alternative)];
    const family = families[alternative.slice(1)];
    if (family === undefined) throw new Error(`the lexicon ${language} has no family ${alternative}`);
    return family.trim().split(/\s+/).map(wordOf);
  }

  // In lexicons, `credit_card` stands for two words and `block*` for any ending.
  function wordOf(word: string): string {
    const isStem = word.endsWith('*');
    const parts = (isStem ? word.slice(0, -1) : word).split('_').map((part) => foldedFor(language, part));
    return parts.join(AFTER) + (isStem ? '[^ .]*?' : '');
  }
}

interface LinkMark<K> {
  kind: K;
  weight: number;
  words: string;
  language: string;
}

/** Maximum number of links that are examined in one text. */
const MOST_LINKS = 20;

/** Returns signs in the form of the links of a text, without any query. */
export function linkSignals(text: string): {
  signals: LinkMark<SignalKind>[];
  legitimacy: LinkMark<LegitimacyKind>[];
} {
  const hosts = find(withDigitsForMasks(text))
    .filter(({ type, value }) => type === 'url' && !/^[^/]+\.apk$/i.test(value))
    .slice(0, MOST_LINKS)
    .flatMap(({ href, start, end }) =>
      URL.canParse(href) ? [{ value: text.slice(start, end), url: new URL(href) }] : [],
    );
  const signals: LinkMark<SignalKind>[] = [...hiddenLinks(text)];
  const legitimacy: LinkMark<LegitimacyKind>[] = [];
  for (const { value, url } of hosts) {
    const words = value.slice(0, 80);
    const weight = urlSuspicion(url);
    if (weight > 0) signals.push({ kind: 'suspicious_link', weight, words, language: 'und' });
    else if (isOwnDomain(url.hostname))
      legitimacy.push({ kind: 'own_domain', weight: 1, words, language: 'und' });
    if (/\.apk$/i.test(url.pathname)) signals.push({ kind: 'install', weight: 2, words, language: 'und' });
    if (/^(?:t\.me|telegram\.me|wa\.me|chat\.whatsapp\.com|api\.whatsapp\.com|line\.me)$/.test(url.hostname))
      signals.push({ kind: 'other_channel', weight: 1, words, language: 'und' });
  }
  return { signals, legitimacy };
}

/** A link as read from HTML, `shown <address>`, or in Markdown, `[shown](address)`. */
const SHOWN_LINKS = [
  /([^\s<>[\]()"']{4,200})[.,:;!)]?(?:\s[\p{L}\p{N}.,!]{1,20}){0,2}\s?<(https?:\/\/[^\s<>]{4,2000})>/giu,
  /\[\s?([^\s[\]()<>]{4,200})\s?\]\((https?:\/\/[^\s()<>]{4,2000})\)/giu,
] as const;

/**
 * Returns links whose shown address has another registrable domain than the real one. Newsletters have such
 * links too.
 */
function hiddenLinks(text: string): LinkMark<SignalKind>[] {
  const links = SHOWN_LINKS.flatMap((pattern) => [...text.matchAll(pattern)].slice(0, MOST_LINKS));
  return links.flatMap(([, shown = '', address = '']) => {
    const [link] = find(shown, 'url');
    const [from, to] = [link === undefined ? null : getDomain(link.href), getDomain(address)];
    if (from === null || to === null || from === to) return [];
    const words = `${from} leads to ${to}`.slice(0, 80);
    return [{ kind: 'hidden_link' as const, weight: 1, words, language: 'und' }];
  });
}

function urlSuspicion({ hostname, username }: URL): number {
  return username.includes('.') && !isOwnDomain(hostname) ? 2 : hostSuspicion(hostname);
}

/** Top-level domains that cost almost nothing and that senders of these kinds hardly ever use. */
const CHEAP = new Set(
  (
    'top xyz shop cc info icu online site live click link vip club buzz rest cfd sbs cyou fun store work win bid loan life ' +
    'pw tk ml ga cf gq lol mom quest monster beauty hair skin bond today world space website tech pro support help ws su ru'
  ).split(' '),
);
const SHORTENERS = new Set(
  'bit.ly tinyurl.com t.co cutt.ly is.gd rb.gy shorturl.at goo.gl ow.ly tiny.cc bit.do t.ly s.id shrtco.de rebrand.ly lnkd.in v.gd qrco.de'.split(
    ' ',
  ),
);
/** Words that senders of such links add to a name to make it look official. */
const GENERIC =
  /verif|valid|secur|login|logon|signin|account|acct|update|upd$|kyc|pay(?!pal)|fees?$|claim|refund|rebate|redeliv|deliver|parcel|parcl|post(?:al)?$|package|track|customs?|duty|gov|support|help|service|bonus|reward|gift|prize|winner|lucky|free|double|drop|airdrop|wallet|confirm|unlock|unblock|bill|toll|fine|chal+an|subsid|payout|grant|guest|card|cancel|appeal|recover|restore|renew|relief|scheme|yojana|kist|seva|pan$|aadha+r|sbi|hdfc|icici|guru|crypto|invest|trade|earn|task|job|offer|deal|sale|big|mega|loot|cheap|outlet|clear|viewer|clips|meta|forms?$|addr|fast|tag|pass$/;
/** Names that are most often imitated, with their real domains. */
const BRANDS: Record<string, string> = {
  usps: 'usps.com',
  ups: 'ups.com',
  fedex: 'fedex.com',
  dhl: 'dhl.com dhl.de dhl.co.uk',
  royalmail: 'royalmail.com',
  evri: 'evri.com',
  dpd: 'dpd.co.uk dpd.com',
  auspost: 'auspost.com.au',
  indiapost: 'indiapost.gov.in',
  hmrc: '',
  irs: 'irs.gov',
  ezpass: 'e-zpassny.com',
  dvla: '',
  ato: '',
  mygov: '',
  paypal: 'paypal.com',
  amazon:
    'amazon.com amazon.in amazon.co.uk amazon.de amazon.fr amazon.es amazon.it amazon.nl amazon.ca amazon.com.br amazon.com.au amazon.co.jp',
  apple: 'apple.com',
  icloud: 'icloud.com',
  netflix: 'netflix.com',
  microsoft: 'microsoft.com',
  google: 'google.com',
  facebook: 'facebook.com',
  instagram: 'instagram.com',
  whatsapp: 'whatsapp.com',
  booking: 'booking.com',
  airbnb: 'airbnb.com',
  binance: 'binance.com',
  coinbase: 'coinbase.com',
  metamask: 'metamask.io',
  sbi: 'sbi.co.in onlinesbi.sbi',
  hdfc: 'hdfcbank.com',
  icici: 'icicibank.com',
  pnb: 'pnbindia.in',
  yono: 'sbi.co.in',
  paytm: 'paytm.com',
  phonepe: 'phonepe.com',
  fastag: '',
  parivahan: 'parivahan.gov.in',
  incometax: 'incometax.gov.in',
  uidai: 'uidai.gov.in',
  epfo: 'epfindia.gov.in',
  irctc: 'irctc.co.in',
  jio: 'jio.com',
  airtel: 'airtel.in',
  barclays: 'barclays.co.uk',
  hsbc: 'hsbc.com hsbc.co.uk',
  lloyds: 'lloydsbank.com',
  santander: 'santander.co.uk',
  chase: 'chase.com',
  wellsfargo: 'wellsfargo.com',
  singpass: 'singpass.gov.sg',
  nike: 'nike.com',
  steam: 'steampowered.com steamcommunity.com',
  dropbox: 'dropbox.com dropboxmail.com',
  docusign: 'docusign.com docusign.net',
  adobe: 'adobe.com',
  norton: 'norton.com',
  mcafee: 'mcafee.com',
  linkedin: 'linkedin.com',
  sharepoint: 'sharepoint.com',
  wetransfer: 'wetransfer.com',
  ebay: 'ebay.com ebay.co.uk ebay.de ebay.fr ebay.it ebay.es ebay.ca ebay.com.au',
  walmart: 'walmart.com',
  spotify: 'spotify.com',
  citibank: 'citi.com citibank.com',
  bbva: 'bbva.com bbva.es',
  caixabank: 'caixabank.es',
  sparkasse: 'sparkasse.de',
  commerzbank: 'commerzbank.de',
  godaddy: 'godaddy.com',
  ledger: 'ledger.com',
  trezor: 'trezor.io',
  bradesco: 'bradesco.com.br',
  itau: 'itau.com.br',
  correios: 'correios.com.br',
  costco: 'costco.com',
  lowes: 'lowes.com',
  starbucks: 'starbucks.com',
  decathlon: 'decathlon.com decathlon.de decathlon.fr',
  edeka: 'edeka.de',
  rossmann: 'rossmann.de',
  lidl: 'lidl.de lidl.com',
  temu: 'temu.com',
  tether: 'tether.to',
  ripple: 'ripple.com',
  mastercard: 'mastercard.com',
  telekom: 'telekom.de telekom.com',
};
const OWN = new Set(
  (
    Object.values(BRANDS).join(' ') +
    ' google.co.in youtube.com youtu.be microsoftonline.com boots.com tesco.com nhs.uk uppcl.org licindia.in flipkart.com myntra.com' +
    ' zomato.com swiggy.com delhivery.com wikipedia.org bbc.co.uk github.com zoom.us target.com'
  ).split(' '),
);
const OFFICIAL_END =
  /(?:^|\.)(?:gov|mil|gov\.[a-z]{2}|nic\.in|bank\.in|police\.uk|nhs\.uk|ac\.[a-z]{2}|edu|edu\.[a-z]{2})$/;

/** Returns whether a host belongs to a well-known sender or an office. */
export function isOwnDomain(host: string): boolean {
  const domain = getDomain(host);
  return OFFICIAL_END.test(host) || (domain !== null && OWN.has(domain));
}

/** Returns whether a host shortens links, so that a link does not show where it leads. */
export function isShortener(host: string): boolean {
  return SHORTENERS.has(getDomain(host) ?? host);
}

/** Returns the weight of the signs in the form of a host: 2 if it borrows a well-known name, 0 if there are none. */
export function hostSuspicion(hostname: string): number {
  if (isOwnDomain(hostname)) return 0;
  if (/^[\d.]+$|^\[/.test(hostname) || /(?:^|\.)xn--/.test(hostname)) return 2;
  const domain = getDomain(hostname) ?? hostname;
  if (isShortener(hostname)) return 1;
  const labels = hostname.split('.').filter((label) => label !== 'www');
  const parts = labels.flatMap((label) => label.split('-'));
  const hyphenated = labels.some((label) => label.includes('-'));
  const borrowed =
    parts.some((part) => Object.hasOwn(BRANDS, part)) || /^(?:com|net|org|gov|in)-/.test(domain);
  const generic = parts.some((part) => GENERIC.test(part));
  const cheap = CHEAP.has(getPublicSuffix(hostname) ?? '');
  if (borrowed || (cheap && (hyphenated || generic))) return 2;
  if (cheap || (hyphenated && generic)) return 1;
  return 0;
}

/** Letters that look like others in a domain, in the order in which they are replaced. */
const LOOK_ALIKES = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
  ['0', 'o'],
  ['1', 'l'],
  ['3', 'e'],
  ['5', 's'],
] as const;

/**
 * Returns the well-known name that a host imitates although it does not belong to that name: as a part between
 * hyphens, or with letters that look alike (`paypa1`). null: none.
 */
export function imitatedName(host: string): string | null {
  if (isOwnDomain(host)) return null;
  const parts = host
    .toLowerCase()
    .split('.')
    .filter((label) => label !== 'www')
    .flatMap((label) => label.split('-'));
  for (const part of parts) {
    if (Object.hasOwn(BRANDS, part)) return part;
    for (const [from, to] of LOOK_ALIKES) {
      const read = part.replaceAll(from, to);
      if (read !== part && Object.hasOwn(BRANDS, read)) return read;
    }
  }
  return null;
}

/**
 * Returns the well-known name in a display name, and whether a host belongs to it. null: the display name names none.
 * @param words words of the display name, in lower case
 */
export function namedBrand(words: readonly string[], host: string): { brand: string; isOwn: boolean } | null {
  const brand = words.find((word) => word.length >= 3 && Object.hasOwn(BRANDS, word));
  if (brand === undefined) return null;
  const own = (BRANDS[brand] ?? '').split(' ');
  return { brand, isOwn: own.includes(getDomain(host) ?? '') || OFFICIAL_END.test(host) };
}
