import { reasonInWords, type ClaimAnswer, type Report } from '@casefile/contracts';
import { find } from './entities/links.js';
import { markHidden } from './language/without-disguises.js';
import { firstCodePoints, plainText, inLine } from './plain-text.js';
import type { WriteInput } from './stage-parts.js';

/** Most code points of a quoted text. */
const TEXT_SHOWN = 2_000;

/** Input of a report on one unit. */
export type ReportInput = Omit<WriteInput, 'unit'>;

/** Builds a report from its sections without empty ones. It cites the draft's evidence, as far as known. */
export function buildReport(title: string, sections: string[], { evidence, draft }: ReportInput): Report {
  const known = new Set(evidence.items.map((item) => item.id));
  return {
    title,
    markdown: `${[`# ${title}`, ...sections].filter((section) => section !== '').join('\n\n')}\n`,
    citations: draft.evidenceUsed.filter((id) => known.has(id)),
  };
}

/** A titled list whose lines cannot create markup; empty without lines. */
export function listSection(title: string, lines: readonly string[], inert = inertText): string {
  if (lines.length === 0) return '';
  return [`## ${title}`, '', ...lines.map((line) => `- ${inert(line)}`)].join('\n');
}

/** The findings of the review. */
export function findingsListed({ review }: ReportInput): string {
  return listSection(
    'Findings of the review',
    review.findings.map(({ message }) => message),
  );
}

const ANSWERS: Record<ClaimAnswer, string> = {
  supports: 'Supported',
  contradicts: 'Contradicted, removed',
  not_in_it: 'Not in its sources, removed',
};

/** Words of the list of examined claims. */
interface ExaminationWords {
  title: string;
  answers: Record<ClaimAnswer, string>;
}

/** The cross-examination: each claim with its answer and the quote; empty if the verdict needed none. */
export function examinationListed(
  { review: { crossExamination } }: Pick<ReportInput, 'review'>,
  inert = inertText,
  { title, answers }: ExaminationWords = { title: 'Cross-examination', answers: ANSWERS },
): string {
  if (crossExamination === undefined) return '';
  const { claims, failed } = crossExamination;
  const lines = claims.map(({ text, answer, sources, quote }) => {
    const words = quote === null ? `[${sources.join(', ')}]` : `“${quote.words}” [${quote.source}]`;
    return `${answers[answer]}: ${text} (${words})`;
  });
  return listSection(title, failed === null ? lines : [`No answer: ${reasonInWords(failed)}.`], inert);
}

/** Notes of triage, with hidden characters made visible. */
export function notesListed(title: string, { brief }: ReportInput): string {
  return listSection(title, brief.notes.map(markHidden));
}

/** The beginning of the case's text, as received. */
export function textQuoted(title: string, { brief }: ReportInput): string {
  if (brief.text === '') return '';
  return `## ${title}\n\n${codeBlock(markHidden(firstCodePoints(plainText(brief.text), TEXT_SHOWN)))}`;
}

const SPECIAL = /[\\`*_{}[\]()<>#+\-!|~&=@:]/g;

/**
 * Converts text from outside to inert Markdown on one line: it displays as written but creates no HTML, link,
 * image, heading or list. Links are broken up too (`hxxps://evil[.]example`), because some renderers link
 * plain text.
 */
export function inertText(text: string, max = 2_000): string {
  return withoutLinks(inLine(text, max)).replace(SPECIAL, '\\$&');
}

/** Returns text from outside as a code block that the text cannot end. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Returns a text whose links no renderer makes clickable: `hxxps://evil[.]example`. */
export function withoutLinks(text: string): string {
  // A link without a dot needs no breaking up, and searching for links is slow.
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
