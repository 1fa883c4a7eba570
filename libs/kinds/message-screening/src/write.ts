import {
  reasonInWords,
  gapsOf,
  whyNoAnswer,
  type Brief,
  type Draft,
  type Evidence,
  type Report,
} from '@casefile/contracts';
import { BY_RULES } from './judge-by-rules.js';
import {
  inertText,
  findingsListed,
  listSection,
  notesListed,
  buildReport,
  textQuoted,
  type ReportInput,
} from '@casefile/pipeline/report-markdown';
import { pastCaseSection } from '@casefile/pipeline/past-cases';
import { lookUpNotes, evidenceMatches } from './matches.js';

/** Writes the report for people: the findings and their sources. The verdict states the action. */
export function writeReport(input: ReportInput): Report {
  const { brief, evidence, draft } = input;
  const sections = [
    assessment(brief, draft),
    listSection('Red flags', draftTexts(draft, 'redFlags')),
    listSection('Signs of an honest message', draftTexts(draft, 'legitimacyIndicators')),
    similar(evidence),
    pastCaseSection(evidence.items, inertText),
    listSection(
      'Not answered',
      gapsOf(evidence).map(
        (gap) => `${gap.toolName}: ${gap.reason === undefined ? 'it failed' : reasonInWords(gap.reason)}`,
      ),
    ),
    findingsListed(input),
    notesListed('Unusual about the message', input),
    textQuoted('The message', input),
  ];
  return buildReport(`Message screening: ${draftFinding(draft)}`, sections, input);
}

function draftFinding(draft: Draft): string {
  if (draft.method === 'heuristic' && !draft.remarks.includes(BY_RULES)) return 'not judged';
  if (isUnconfirmed(draft)) return 'nothing shows a scam, and nothing shows that it is harmless';
  return draft.answer['isScam'] === true ? 'a scam' : 'no scam';
}

/** Returns whether the rules found no scam and nothing that clears the message: no certainty is stated then. */
const isUnconfirmed = ({ method, answer }: Draft): boolean =>
  method === 'heuristic' && answer['unconfirmed'] === true;

function assessment(brief: Brief, draft: Draft): string {
  const language = brief.language === undefined ? 'not told' : brief.language.code;
  const sure = brief.language === undefined ? '' : ` (${certaintyOf(brief.language)})`;
  const category = draft.answer['primaryCategory'];
  return [
    `**Language:** ${inertText(language, 40)}${sure}, **mode:** ${inertText(brief.mode ?? 'strict', 40)}.`,
    ...(isUnconfirmed(draft)
      ? []
      : [
          `**Confidence:** ${draft.confidence}${typeof category === 'string' ? `, **category:** ${inertText(category, 100)}` : ''}.`,
        ]),
    ...(draft.fallbackReason === undefined
      ? []
      : [
          `**${draft.remarks.includes(BY_RULES) ? 'Why no language model judged it' : 'Why it was not judged'}:** ${inertText(whyNoAnswer(draft.fallbackReason), 200)}.`,
        ]),
    inertText(draft.explanation, 5_000),
  ].join('\n\n');
}

function certaintyOf({ certainty, failure }: NonNullable<Brief['language']>): string {
  return failure === undefined ? `certainty ${certainty}` : `it failed: ${inertText(failure, 100)}`;
}

function similar(evidence: Evidence): string {
  const lines = evidenceMatches(evidence).map(
    ({ evidenceId, match }) =>
      `${match.similarity.toFixed(2)} (${match.level}) ${match.title}, ${match.category}, ${match.scamType} [${evidenceId}]`,
  );
  const notes = lookUpNotes(evidence).map((note) => inertText(note, 300));
  return listSection('Known patterns that are alike', [...lines, ...notes]);
}

function draftTexts(draft: Draft, key: string): string[] {
  const values = draft.answer[key];
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
