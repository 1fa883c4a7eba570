import { reasonInWords, type ClaimAnswer, type Report } from '@casefile/contracts';
import { find } from 'linkifyjs';
import { markHidden } from './entities/hidden-characters.js';
import { firstCodePoints, plainText, inLine } from './plain-text.js';
import type { WriteInput } from './stage-parts.js';

/** Of a text that a report quotes, in code points. */
const TEXT_SHOWN = 2_000;

/** What a report of one unit is written from. */
export type ReportInput = Omit<WriteInput, 'unit'>;

/** A report of its sections, empty ones left out; it cites what the draft rests on, as far as that is known. */
export function reportOf(title: string, sections: string[], { evidence, draft }: ReportInput): Report {
  const known = new Set(evidence.items.map((item) => item.id));
  return {
    title,
    markdown: `${[`# ${title}`, ...sections].filter((section) => section !== '').join('\n\n')}\n`,
    citations: draft.evidenceUsed.filter((id) => known.has(id)),
  };
}

/** A titled list; nothing in its lines makes markup. Without lines there is none. */
export function listed(title: string, lines: readonly string[], inert = inertText): string {
  if (lines.length === 0) return '';
  return [`## ${title}`, '', ...lines.map((line) => `- ${inert(line)}`)].join('\n');
}

/** What the review found. */
export function findingsListed({ review }: ReportInput): string {
  return listed(
    'Findings of the review',
    review.findings.map(({ message }) => message),
  );
}

const ANSWERS: Record<ClaimAnswer, string> = {
  supports: 'Supported',
  contradicts: 'Contradicted, removed',
  not_in_it: 'Not in its sources, removed',
};

/** The cross-examination: each claim with its answer and the quote; empty if the verdict needed none. T-02. */
export function examinationListed(
  { review: { crossExamination } }: Pick<ReportInput, 'review'>,
  inert = inertText,
): string {
  if (crossExamination === undefined) return '';
  const { claims, failed } = crossExamination;
  const lines = claims.map(({ text, answer, sources, quote }) => {
    const words = quote === null ? `[${sources.join(', ')}]` : `“${quote.words}” [${quote.source}]`;
    return `${ANSWERS[answer]}: ${text} (${words})`;
  });
  return listed(
    'Cross-examination',
    failed === null ? lines : [`No answer: ${reasonInWords(failed)}.`],
    inert,
  );
}

/** What triage found unusual, hidden characters made visible. */
export function notesListed(title: string, { brief }: ReportInput): string {
  return listed(title, brief.notes.map(markHidden));
}

/** The beginning of the text that the case is about, as it came. */
export function textQuoted(title: string, { brief }: ReportInput): string {
  if (brief.text === '') return '';
  return `## ${title}\n\n${codeBlock(markHidden(firstCodePoints(plainText(brief.text), TEXT_SHOWN)))}`;
}

const SPECIAL = /[\\`*_{}[\]()<>#+\-!|~&=@:]/g;

/**
 * Text from outside as inert Markdown on one line: it shows as it is written, but makes no HTML, link, image,
 * heading or list. Links are broken up as well (`hxxps://evil[.]example`), for renderers that link whatever
 * looks like an address.
 */
export function inertText(text: string, max = 2_000): string {
  return withoutLinks(inLine(text, max)).replace(SPECIAL, '\\$&');
}

/** Text from outside as a code block that it cannot end. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function withoutLinks(text: string): string {
  // Nothing is broken up in a link without a dot, and to look for links takes long.
  const links = text.includes('.') ? find(text).toSorted((a, b) => b.start - a.start) : [];
  const broken = links.reduce(
    (line, { start, end }) =>
      line.slice(0, start) + line.slice(start, end).replaceAll('.', '[.]') + line.slice(end),
    text,
  );
  return broken
    .replace(/h(tt)(ps?:\/\/)/gi, 'hxx$2')
    .replace(/\bwww\./gi, 'www[.]')
    .replace(/(?<=\w)@(?=\w)/g, '[at]');
}
