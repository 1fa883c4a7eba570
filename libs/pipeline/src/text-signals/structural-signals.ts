import { find } from '../entities/find-links.js';
import { getDomain } from 'tldts';
import { withDigitsForMasks } from '../masked-values.js';
import { WEIGHTS, type Lexicon, type Strength, type LegitimacyKind, type SignalKind } from './kinds.js';
import { hostSuspicion, isOwnDomain } from './imitated-names.js';
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
