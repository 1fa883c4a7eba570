import { plainText } from '../plain-text.js';
import type { Extraction, ExtractionContext } from '../parts/from-text.js';
import { findCryptoAddresses } from './crypto-addresses.js';
import { withoutHidden } from '../language/without-disguises.js';
import { findLinks, repairLinks } from './links.js';
import { findPhoneNumbers, type PhoneOptions } from './phone-numbers.js';
import {
  DEFAULT_REGIONS,
  regionsOfLanguage,
  regionsOfNumbers,
  regionsOfSender,
  type Region,
} from './phone-regions.js';
import { asCasefileError } from '@casefile/contracts';
import { detectLanguage, type DetectedLanguage } from '../language/detect-language.js';

/** Characters of a text that are searched; far more than any message has. */
const SEARCHED = 200_000;
/** Most values of each type, as in a brief. */
const MAX_VALUES = 200;
const MAX_NOTES = 30;
/** Longest note, in characters. */
const NOTE_LENGTH = 400;

/**
 * Returns all entities of a text by type, in order of appearance and without repeats. Common obfuscations are
 * undone first. Never throws.
 */
export function extractEntities(
  text: string,
  options: PhoneOptions = { regions: DEFAULT_REGIONS },
): Extraction {
  const seen = withoutHidden(plainText(text.slice(0, SEARCHED)));
  const undone = undoObfuscation(seen.text);
  const whole = repairLinks(undone.text);
  const plain = { text: whole.text, notes: [...undone.notes, ...whole.notes] };
  const links = findLinks(plain.text);
  const phones = findPhoneNumbers(links.rest, options);
  const entities = {
    phone: phones.values,
    email: links.emails,
    url: links.urls,
    domain: links.domains,
    crypto: findCryptoAddresses(plain.text),
    payment: findPaymentHandles(plain.text),
  };
  const distinct = Object.entries(entities).map(([type, values]) => [type, [...new Set(values)]] as const);
  const notes = [
    ...(text.length > SEARCHED
      ? [`Only the first ${SEARCHED} of ${text.length} characters were searched.`]
      : []),
    ...seen.notes,
    ...plain.notes,
    ...links.notes,
    ...phones.notes,
    ...instructionNotes(`${plain.text}\n${seen.hidden}`),
    ...distinct
      .filter(([, values]) => values.length > MAX_VALUES)
      .map(([type]) => `More than ${MAX_VALUES} values of type ${type}: the rest was left out.`),
  ];
  return {
    entities: Object.fromEntries(
      distinct
        .filter(([, values]) => values.length > 0)
        .map(([type, values]) => [type, values.slice(0, MAX_VALUES)]),
    ),
    notes: [...new Set(notes.map((note) => plainText(note.slice(0, NOTE_LENGTH))))].slice(0, MAX_NOTES),
  };
}

/** First code point of the ten digits of common scripts; NFKC does not convert them. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66];
const STYLED = /[\uff01-\uff5e\u2460-\u24ff\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f149}]/u;

/** Top-level domains that messages spell out. Not all domains are included, because any word could be one. */
const SPELLED_ENDS = new Set(
  (
    'com net org info biz io co in uk us me app xyz top online site shop store club live link vip icu cc tk ml ' +
    'buzz ru cn de fr eu au ca br ng za dev pro support help example'
  ).split(' '),
);
const ARTICLES = new Set('a an the this that each every one no'.split(' '));
/** Largest growth of a text when compatibility characters are expanded (one of them becomes 18). */
const MAX_GROWTH = 2;

interface Rule {
  pattern: RegExp;
  by: string | ((...found: string[]) => string);
  note: string;
}

// Every repeat is bounded, so that no text makes these rules slow.
const RULES: readonly Rule[] = [
  { pattern: /\bh(?:xx|\*\*|__)p(s?)(?=\s{0,2}[:[])/gi, by: 'http$1', note: 'A link was written as "hxxp".' },
  { pattern: /[[({]\s?:\s?(\/\/)?\s?[\])}]/g, by: ':$1', note: 'A colon was written in brackets.' },
  {
    pattern: /\b(https?)(?:\s{1,2}:\s{0,2}|:\s{1,2})\/\s{0,2}\/\s{0,2}/gi,
    by: '$1://',
    note: 'A link was written with spaces.',
  },
  {
    pattern: /(?<=[\p{L}\p{N}])\s{0,2}[[({<]\s{0,2}(?:\.|dot)\s{0,2}[\])}>]\s{0,2}(?=[\p{L}\p{N}])/giu,
    by: '.',
    note: 'A dot was written in brackets.',
  },
  {
    pattern: /(?<=[\p{L}\p{N}])\s{0,2}[[({<]\s{0,2}(?:@|at)\s{0,2}[\])}>]\s{0,2}(?=[\p{L}\p{N}])/giu,
    by: '@',
    note: 'An @ was written in brackets.',
  },
  {
    pattern: /(?<=[a-z0-9])\u3002(?=[a-z0-9])/gi,
    by: '.',
    note: 'A dot of another script was used in an address.',
  },
  {
    pattern: /\b[a-z0-9-]{1,63}(?:[ \t]{1,3}dot[ \t]{1,3}[a-z0-9-]{1,63}){1,5}/gi,
    by: spelledDots,
    note: 'A dot was spelled out.',
  },
];

/** Undoes common ways of hiding a URL or e-mail address, with a note for each kind found. */
function undoObfuscation(text: string): { text: string; notes: string[] } {
  const styled = STYLED.test(text) ? ['Fullwidth or styled characters stand for plain ones.'] : [];
  const start = {
    text: plainDigits(text.normalize('NFKC').slice(0, text.length * MAX_GROWTH)),
    notes: styled,
  };
  return RULES.reduce((state, { pattern, by, note }) => {
    const changed = state.text.replace(pattern, by as string);
    return changed === state.text ? state : { text: changed, notes: [...state.notes, note] };
  }, start);
}

function plainDigits(text: string): string {
  return text.replace(/[\u0660-\u0d6f]/g, (c) => {
    if (!/\p{Nd}/u.test(c)) return c;
    const code = c.charCodeAt(0);
    const zero = ZEROS.find((first) => code >= first && code <= first + 9);
    return zero === undefined ? c : String(code - zero);
  });
}

// "dot" is also a word. It counts only if a top-level domain follows and no article precedes.
function spelledDots(domain: string): string {
  const labels = domain.toLowerCase().split(/[ \t]{1,3}dot[ \t]{1,3}/);
  const isAddress = SPELLED_ENDS.has(labels.at(-1) ?? '') && !ARTICLES.has(labels[0] ?? '');
  return isAddress ? labels.join('.') : domain;
}

const MAX_SPANS = 5;

/** Spans that address a language model rather than a reader. Every repeat is bounded. */
const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|all|your|system)\b[^.\n]{0,20}\b(?:instructions?|rules?|prompts?|directions?|context)\b/gi,
  /\byou are (?:now|no longer)\b[^.\n]{0,40}\b(?:ai|assistant|model|analyst|bot|dan)\b/gi,
  /\b(?:system|developer) (?:prompt|message|instructions?)\b/gi,
  /<\|?(?:im_start|im_end|system|assistant|endoftext)\|?>|\[\/?INST\]|<<SYS>>/gi,
  /\b(?:answer|respond|reply|output|return)\b[^.\n]{0,30}(?:\brisk ?level\b|"riskLevel"|\bconfidence\b|\bjson\b)/gi,
  /\b(?:classify|mark|rate|label|treat) this\b[^.\n]{0,30}\b(?:safe|low|harmless|legitimate|benign)\b/gi,
];

/**
 * Notes on text that reads like an instruction to the model: a sign of deceit that reviewers and the model
 * should see.
 */
function instructionNotes(text: string): string[] {
  const spans = PATTERNS.flatMap((pattern) => firstOf(text, pattern));
  return [...new Set(spans)]
    .slice(0, MAX_SPANS)
    .map((span) => `A span reads like an instruction to a language model: "${span.slice(0, 120)}"`);
}

function firstOf(text: string, pattern: RegExp): string[] {
  const values: string[] = [];
  for (const [span] of text.matchAll(pattern)) {
    values.push(span.replace(/\s+/g, ' '));
    if (values.length >= MAX_SPANS) break;
  }
  return values;
}

const MAX_HANDLES_TRIED = 2_000;
/** Handles of common UPI providers. */
const UPI_BANKS = new Set(
  (
    'ybl ibl axl okaxis oksbi okicici okhdfcbank paytm ptaxis ptsbi pthdfc ptyes upi apl yapl rapl sbi icici hdfcbank axisbank axisb kotak ' +
    'idfcbank pnb barodampay cnrb federal indus jupiteraxis fam freecharge ikwik airtel waaxis wahdfcbank waicici wasbi superyes'
  ).split(' '),
);
const UPI = /(?<![\w.@-])[a-z0-9][a-z0-9._-]{1,100}@[a-z][a-z0-9]{1,63}(?![\w@-]|\.[a-z0-9])/gi;
const UPI_TALK = /\b(?:upi|vpa|bhim|gpay|google pay|phonepe|paytm)\b|यूपीआई/i;
/** Largest distance between a handle and a mention of UPI, in characters. */
const UPI_REACH = 60;
const PAYPAL = /(?<![\w.])paypal\.me\/([a-z0-9._-]{1,50})/gi;
const CASH_URL = /(?<![\w.])cash\.app\/(\$[a-z][a-z0-9_-]{0,30})/gi;
const CASH_TAG = /(?<![\w$/])\$[a-z][a-z0-9_-]{0,30}(?![\w$])/gi;
const CASH_TALK = /\bcash ?app\b|\bcashtag\b/i;
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;

interface EntityMatch {
  at: number;
  value: string;
}

/** Finds UPI ids, PayPal.me names, Cash App tags and IBANs (checksum verified), in order of appearance. */
function findPaymentHandles(text: string): string[] {
  const tags = CASH_TALK.test(text) ? matches(text, CASH_TAG, (tag) => tag.toLowerCase()) : [];
  const handles = [
    ...matches(text, UPI, (handle) => handle.toLowerCase()).filter((one) => isUpi(one, text)),
    ...matches(text, PAYPAL, (_, name) => `paypal.me/${name.toLowerCase()}`),
    ...matches(text, CASH_URL, (_, tag) => tag.toLowerCase()),
    ...tags,
    ...matches(text, IBAN, (iban) => iban.replaceAll(' ', '')).filter(({ value }) => isIban(value)),
  ];
  return handles.sort((a, b) => a.at - b.at).map(({ value }) => value);
}

function matches(
  text: string,
  pattern: RegExp,
  valueOf: (match: string, group: string) => string,
): EntityMatch[] {
  const entityMatches: EntityMatch[] = [];
  for (const match of text.matchAll(pattern)) {
    entityMatches.push({ at: match.index, value: valueOf(match[0], match[1] ?? '') });
    if (entityMatches.length >= MAX_HANDLES_TRIED) break;
  }
  return entityMatches;
}

function isUpi({ at, value }: EntityMatch, text: string): boolean {
  if (UPI_BANKS.has(value.slice(value.indexOf('@') + 1))) return true;
  return UPI_TALK.test(text.slice(Math.max(0, at - UPI_REACH), at + value.length + UPI_REACH));
}

// ISO 13616: the first four characters moved to the end, letters as 10 to 35, modulo 97 is 1.
function isIban(iban: string): boolean {
  if (iban.length < 15 || iban.length > 34) return false;
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (c) => parseInt(c, 36)).join('');
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Certainty from which the language of a text determines the country of its numbers. */
const CERTAIN = 0.6;
/** A number that may lack its country code. */
const NATIONAL = /(?<![+\d])\(?\d(?:[ ().-]{0,2}\d){5}/;
const MOST_LIKELY = 4;

/**
 * Extracts the entities of a message. A phone number without a country code is read in the countries of the
 * sender, of the text's other numbers and of its language, then in those of the configuration.
 * @param regions countries of the configuration
 */
export async function extractFromMessage(
  text: string,
  { alert }: ExtractionContext,
  regions: readonly Region[],
  detect: (text: string) => Promise<Pick<DetectedLanguage, 'code' | 'certainty'>> = detectLanguage,
): Promise<Extraction> {
  const named = [...new Set([...regionsOfSender(alert), ...regionsOfNumbers(text)])];
  if (named.length > 0 || !NATIONAL.test(text))
    return extractEntities(text, { regions, likely: named.slice(0, MOST_LIKELY) });
  try {
    const { code, certainty } = await detect(text);
    return extractEntities(text, { regions, likely: certainty < CERTAIN ? [] : regionsOfLanguage(code) });
  } catch (thrown) {
    const note = `The language of the text could not be detected: ${asCasefileError(thrown).message}`;
    const { entities, notes } = extractEntities(text, { regions });
    return { entities, notes: [...notes, note] };
  }
}
