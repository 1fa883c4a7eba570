import type { Evidence, IncidentResult, ReadCitation } from '@casefile/contracts';
import type { Incident } from './alert.js';
import { whyNoRunbook } from './runbook.js';

/** Converts an untrusted text to inert Markdown on one line. */
export type Inert = (text: string, max?: number) => string;

/** A section of a report; empty without words. */
export function section(title: string, lines: readonly string[]): string {
  return lines.join('').trim() === '' ? '' : `## ${title}\n\n${lines.join('\n\n')}`;
}

/** A section of lines; empty without lines. */
export function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** Annotations that other sections of the report contain. */
const SAID = ['summary', 'impact', 'runbook_url'];
const MOST_LINES = 30;

/** Returns the lines of the alert's own facts, by which the person on call finds the affected system. */
export function senderLines(
  { name, annotations, labels, summary, links, details }: Incident,
  text: string,
  inert: Inert,
): string[] {
  const told = Object.entries(annotations).filter(([name]) => !SAID.includes(name));
  const places = Object.entries(labels).map(([name, value]) => `${inert(name, 100)} ${inert(value, 200)}`);
  const others = [
    ...(summary === '' || summary === name ? [] : [inert(summary, 2_000)]),
    ...links.map((link) => inert(link, 500)),
    ...details.map((line) => inert(line, 500)),
  ];
  if (told.length + places.length + others.length === 0) return wordsBeyond(name, text, inert);
  const lines = told.map(([name, value]) => `${inert(name, 100)}: ${inert(value, 1_000)}`);
  return [
    ...lines.slice(0, MOST_LINES),
    ...(places.length === 0 ? [] : [places.slice(0, MOST_LINES).join(', ')]),
    ...others.slice(0, MOST_LINES),
  ];
}

// A plain-text alert is shown if it is longer than its name, which is its beginning.
function wordsBeyond(name: string, text: string, inert: Inert): string[] {
  const said = text.split('\n').slice(1).join(' ').trim();
  return said.length > name.length ? [inert(said, 2_000)] : [];
}

/** Returns the reason why there were no look-ups. */
export function nothingLookedUp({ tools = [], toolsOut = [] }: Evidence): string {
  if (tools.length > 0) return 'Nothing: no runbook names a look-up, and no model asked for one.';
  return toolsOut.length > 0
    ? 'Nothing: no tool could be used.'
    : 'Nothing: no tools are set up for this alert.';
}

/** Returns a cause with its probability and citations. */
export function hypothesisLine(
  { cause, probability, citations }: IncidentResult['hypotheses'][number],
  inert: Inert,
): string {
  return `**${Math.round(probability * 100)} of 100:** ${inert(cause)}${wordsOf(citations, inert)}`;
}

/** Citations as words of a line; empty without citations. */
export function wordsOf(citations: readonly ReadCitation[], inert: Inert): string {
  if (citations.length === 0) return '';
  return ` (${citations.map(({ id, quote }) => `“${inert(quote, 300)}” \\[${inert(id, 32)}\\]`).join('; ')})`;
}

const PROBLEM = {
  unknown_id: 'nothing has this id',
  look_up_failed: 'the look-up failed',
  quote_not_found: 'the words are not in it',
  quote_too_short: 'too few words to tell',
  quote_spliced: 'the words are of several lines',
} as const;

/** Returns the claims and citations that failed the checks. */
export function struckOut({ refuted, dropped }: IncidentResult, inert: Inert): string[] {
  return [
    ...dropped.map((cause) => `${inert(cause)}: nothing that was read bears it out`),
    ...refuted.map(
      ({ id, quote, problem }) => `“${inert(quote, 300)}” \\[${inert(id, 32)}\\]: ${PROBLEM[problem]}`,
    ),
  ];
}

/** Returns the runbook, or the reason why there is none. */
export function runbookSection({ runbook }: IncidentResult, evidence: Evidence, inert: Inert): string {
  if (runbook === null) return `## Runbook\n\nNone: ${inert(whyNoRunbook(evidence), 500)}`;
  const { title, source, pin, why } = runbook;
  return `## Runbook\n\n${inert(title, 300)} (${inert(source, 500)}, ${inert(pin, 80)}). ${inert(why)}`;
}
