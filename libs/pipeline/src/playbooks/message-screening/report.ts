import { gapsOf, type Brief, type Draft, type Evidence, type Report, type Review } from '@casefile/contracts';
import { markHidden } from '../../entities/hidden-characters.js';
import { codeBlock, inertText } from '../../markdown-text.js';
import { firstCodePoints, plainText } from '../../plain-text.js';
import { matchesOf } from './matches.js';

const TEXT_SHOWN = 2_000;

export interface ReportInput {
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  review: Review;
}

/** The report for people: what was found and what it rests on; the action is the verdict's. */
export function writeReport(input: ReportInput): Report {
  const { brief, evidence, draft, review } = input;
  const known = new Set(evidence.items.map((item) => item.id));
  const title = `Message screening: ${findingOf(draft)}`;
  const sections = [
    `# ${title}`,
    assessment(brief, draft),
    listed('Red flags', textsOf(draft, 'redFlags')),
    listed('Signs of an honest message', textsOf(draft, 'legitimacyIndicators')),
    similar(evidence),
    listed(
      'Not answered',
      gapsOf(evidence).map((gap) => `${gap.toolName}: ${gap.reason ?? 'failed'}`),
    ),
    listed(
      'Findings of the review',
      review.findings.map((finding) => finding.message),
    ),
    listed('Unusual about the message', brief.notes.map(markHidden)),
    brief.text === ''
      ? ''
      : `## The message\n\n${codeBlock(markHidden(firstCodePoints(plainText(brief.text), TEXT_SHOWN)))}`,
  ];
  return {
    title,
    markdown: `${sections.filter((section) => section !== '').join('\n\n')}\n`,
    citations: draft.evidenceUsed.filter((id) => known.has(id)),
  };
}

function findingOf(draft: Draft): string {
  if (draft.method === 'heuristic') return 'not judged';
  return draft.answer['isScam'] === true ? 'a scam' : 'no scam';
}

function assessment(brief: Brief, draft: Draft): string {
  const language = brief.language === undefined ? 'not told' : brief.language.code;
  const sure = brief.language === undefined ? '' : ` (${certaintyOf(brief.language)})`;
  const category = draft.answer['primaryCategory'];
  return [
    `**Language:** ${inertText(language, 40)}${sure}, **mode:** ${inertText(brief.mode ?? 'strict', 40)}.`,
    `**Confidence:** ${draft.confidence}${typeof category === 'string' ? `, **category:** ${inertText(category, 100)}` : ''}.`,
    ...(draft.fallbackReason === undefined
      ? []
      : [`**Why it was not judged:** ${inertText(draft.fallbackReason, 100)}.`]),
    inertText(draft.explanation, 5_000),
  ].join('\n\n');
}

function certaintyOf({ certainty, failure }: NonNullable<Brief['language']>): string {
  return failure === undefined ? `certainty ${certainty}` : `it failed: ${inertText(failure, 100)}`;
}

function similar(evidence: Evidence): string {
  const lines = matchesOf(evidence).map(
    ({ evidenceId, match }) =>
      `${match.similarity.toFixed(2)} (${match.level}) ${match.title}, ${match.category}, ${match.scamType} ${evidenceId}`,
  );
  return listed('Known patterns that are alike', lines);
}

function textsOf(draft: Draft, key: string): string[] {
  const values = draft.answer[key];
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}

function listed(title: string, lines: string[]): string {
  if (lines.length === 0) return '';
  return [`## ${title}`, '', ...lines.map((line) => `- ${inertText(line, 500)}`)].join('\n');
}
