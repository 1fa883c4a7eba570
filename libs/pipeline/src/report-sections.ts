import type { Report } from '@casefile/contracts';
import { markHidden } from './entities/hidden-characters.js';
import { codeBlock, inertText } from './markdown-text.js';
import { firstCodePoints, plainText } from './plain-text.js';
import type { WriteInput } from './playbook.js';

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
export function listed(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return [`## ${title}`, '', ...lines.map((line) => `- ${inertText(line)}`)].join('\n');
}

/** What the review found. */
export function findingsListed({ review }: ReportInput): string {
  return listed(
    'Findings of the review',
    review.findings.map(({ message }) => message),
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
