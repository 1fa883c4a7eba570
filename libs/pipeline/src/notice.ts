import { firstCharacters, type Brief, type Evidence, type Json, type Verdict } from '@casefile/contracts';
import { NOTICE_LABELS, translatePhrases, type NoticeLabels } from './notice-labels.js';
import { firstCodePoints, inLine } from './plain-text.js';

/** The first facts for a person who is called about a verdict. Each part is one line; null: unknown. */
export interface Notice {
  /** What is broken, or what was found. */
  what: string;
  whom: string | null;
  since: string | null;
  /** The cause, or the reason of the verdict. */
  why: string;
  /** Words of a source that support `why`. */
  quote: string | null;
  /** What to do first. */
  first: string | null;
  /** Further lines after the first one. Default: none. */
  more?: readonly string[];
}

/** Record of a run from which its notice is made. */
export interface NoticeInput {
  /** The verdict as it leaves Casefile. */
  verdict: Verdict;
  brief: Brief | null;
  evidence: Pick<Evidence, 'items'> | null;
}

/** Longest text of a notice, in characters (code points). */
export const MOST_NOTICE = 1_200;

/** Longest line of each part. Together with labels and link they stay within the text. */
const MOST = { what: 260, whom: 160, since: 70, why: 280, quote: 160, first: 180, more: 200 } as const;

/** Returns the notice of a verdict: what its kind states, and for the rest what every verdict has. */
export function makeNotice(
  presenting: { notice?(input: NoticeInput): Partial<Notice> },
  input: NoticeInput,
): Notice {
  const { verdict, brief } = input;
  const own = presenting.notice?.(input) ?? {};
  return {
    what: withSubject(verdict.outcome['summary'], brief),
    whom: null,
    since: null,
    why: verdict.reasons[0] ?? '',
    quote: null,
    first: null,
    ...own,
  };
}

/** Longest subject before a summary. */
const MOST_SUBJECT = 120;

// The summary of a case whose alert has fields states the result, and seldom what the case is about.
function withSubject(summary: Json | undefined, brief: Brief | null): string {
  if (typeof summary !== 'string' || summary === '') return brief?.text ?? '';
  const [first = ''] = brief?.textSource === 'payload' ? brief.text.trim().split('\n', 1) : [];
  const subject = inLine(first, MOST_SUBJECT);
  return subject === '' || summary.includes(subject) ? summary : `${subject}: ${summary}`;
}

/** Returns the notice as one line for titles: the verdict's word and the problem. */
export function noticeTitle(word: string, { what }: Notice, max = 200): string {
  return inLine(`${word.toUpperCase()}: ${what}`, max);
}

/**
 * Returns the notice as a text of at most 1,200 characters that ends with the link. Labels are in the language
 * of the alert if it is a known one, else in English.
 * @param language BCP 47.
 */
export function noticeText(word: string, notice: Notice, language: string, link: string): string {
  const labels = labelsIn(language);
  const line = (label: string, text: string | null, max: number): string[] => {
    const shown = inLine(text ?? '', max);
    return shown === '' ? [] : [`${label}: ${shown}`];
  };
  const quote = inLine(notice.quote ?? '', MOST.quote);
  const inLanguage = (text: string) => translatePhrases(text, codeIn(language));
  const why = inLine(inLanguage(notice.why), MOST.why);
  const lines = [
    noticeTitle(word, notice, MOST.what),
    ...(notice.more ?? []).map((text) => inLine(text, MOST.more)),
    ...line(labels.whom, notice.whom, MOST.whom),
    ...line(labels.since, inLanguage(notice.since ?? ''), MOST.since),
    ...(why === '' ? [] : [`${labels.why}: ${why}`]),
    ...(quote === '' ? [] : [`${labels.quote}: “${quote}”`]),
    ...line(labels.first, inLanguage(notice.first ?? ''), MOST.first),
  ].join('\n');
  const room = MOST_NOTICE - [...link].length - 1;
  const text = [...lines].length <= room ? lines : firstCodePoints(lines, room - 1);
  return firstCharacters(`${text}\n${link}`, MOST_NOTICE);
}

/**
 * Returns the message that an alert is resolved, in the language of the alert if it is a known one, else in
 * English.
 * @param language BCP 47.
 * @param at Time in ISO 8601 at which its sender resolved it; null: unknown.
 */
export function resolvedNotice(
  notice: Notice,
  language: string,
  at: string | null,
  link: string,
): { title: string; text: string } {
  const { resolved, over } = labelsIn(language);
  const title = noticeTitle(resolved, notice);
  const time = at === null ? '' : `: ${inLine(minuteInWords(at), MOST.since)}`;
  return { title, text: `${title}\n${over}${time}\n${link}` };
}

function labelsIn(language: string): NoticeLabels {
  return NOTICE_LABELS[codeIn(language)] ?? NOTICE_LABELS['en']!;
}

const codeIn = (language: string): string => language.split('-')[0] ?? '';

/** Returns a time of ISO 8601 in UTC as people read it: `2026-01-05 10:00 UTC`. Other texts are unchanged. */
export function minuteInWords(at: string): string {
  const [, day, minute] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::[\d.]+)?Z$/.exec(at) ?? [];
  return day === undefined ? at : `${day} ${minute} UTC`;
}
