import {
  reasonInWords,
  gapsOf,
  whyNoAnswer,
  type Brief,
  type EvidenceItem,
  type Report,
} from '@casefile/contracts';
import {
  inertText,
  findingsListed,
  notesListed,
  buildReport,
  textQuoted,
  type ReportInput,
} from '@casefile/pipeline/report-markdown';
import { pastCaseSection } from '@casefile/pipeline/past-cases';
import { signalsFound } from '@casefile/pipeline/text-signals/signals-found';
import { evidenceLine } from '@casefile/pipeline/scam/tool-readings';
import { RISK_LEVELS } from './question.js';

const VALUES_SHOWN = 10;

/** Writes the report for people: Markdown that cites evidence as [E1]. Outside text cannot add markup. */
export function writeReport(input: ReportInput): Report {
  const { brief, evidence } = input;
  const known = new Set(evidence.items.map((item) => item.id));
  const sections = [
    assessment(input, known),
    evidenceSection(input),
    pastCaseSection(evidence.items, inertText),
    findingsListed(input),
    entitiesSection(brief),
    notesListed('Unusual about the text', input),
    textQuoted(brief.textSource === 'ocr' ? 'The text (read from the image)' : 'The text', input),
  ];
  return buildReport(`Scam check: ${reportHeadline(input)}`, sections, input);
}

function reportHeadline(input: ReportInput): string {
  if (!isUnconfirmed(input)) return `${draftRisk(input.draft)} risk`;
  return hasSigns(input)
    ? 'signs of a scam in the text, confirmed by no look-up'
    : 'nothing shows a scam, and nothing shows that it is harmless';
}

/** Returns whether the rules found little and nothing that clears the message: no risk is stated then. */
function isUnconfirmed(input: ReportInput): boolean {
  const { method, answer } = input.draft;
  const isLow = method === 'heuristic' && draftRisk(input.draft) === 'low';
  return isLow && (answer['unconfirmed'] === true || hasSigns(input));
}

const hasSigns = ({ evidence }: ReportInput): boolean =>
  evidence.items.some((item) => (signalsFound(item)?.signals.length ?? 0) > 0);

function draftRisk(draft: ReportInput['draft']): string {
  const level = draft.answer['riskLevel'];
  return RISK_LEVELS.find((name) => name === level) ?? 'unknown';
}

const HOW: Record<ReportInput['draft']['method'], string> = {
  llm: 'a language model',
  heuristic: 'rules',
  demonstration: 'an answer that was written by hand for this sample',
};

function assessment(input: ReportInput, known: ReadonlySet<string>): string {
  const { draft } = input;
  const rests = draft.evidenceUsed.filter((id) => known.has(id)).map((id) => `[${id}]`);
  return [
    `${isUnconfirmed(input) ? '**Risk by the look-ups alone:** low' : `**Confidence:** ${Math.round(draft.confidence * 100)} of 100`}, by ${HOW[draft.method]}${whyRules(draft)}.`,
    withCitations(inertText(draft.explanation, 5_000), known),
    `**Rests on:** ${rests.length === 0 ? 'no evidence' : rests.join(', ')}.`,
  ].join('\n\n');
}

function whyRules({ method, fallbackReason }: ReportInput['draft']): string {
  if (fallbackReason === undefined) return method === 'heuristic' ? ', without a language model' : '';
  return `: ${inertText(whyNoAnswer(fallbackReason), 200)}`;
}

// Escaping also changed the brackets of citations. Known ids get them back.
function withCitations(escaped: string, known: ReadonlySet<string>): string {
  return escaped.replace(/\\\[(E\d{1,9})\\\]/g, (whole, id: string) => (known.has(id) ? `[${id}]` : whole));
}

function evidenceSection({ brief, evidence }: ReportInput): string {
  const lines = evidence.items.map((item) => {
    const line = evidenceLine(inWords(item), brief.receivedAt).slice(`[${item.id}] `.length);
    return `- [${item.id}] ${inertText(line)}${modelSaid(item)} (source: ${inertText(item.source, 200)})`;
  });
  const gaps = gapsOf(evidence).length;
  const missing = gaps === 0 ? [] : ['', `${gaps} of ${evidence.items.length} questions have no answer.`];
  return [
    '## Evidence',
    '',
    ...(lines.length === 0 ? ['No evidence was collected.'] : lines),
    ...missing,
  ].join('\n');
}

// Added here and not to the line itself, because models read the line too, and their prompts must not show
// the score of another model.
function modelSaid(item: EvidenceItem): string {
  const found = signalsFound(item);
  const score = found?.message_model?.score ?? found?.likeness ?? null;
  if (score === null) return '';
  const words = (found?.message_model?.words ?? []).map((word) => `"${inertText(word, 40)}"`).join(', ');
  return `. Its words are ${score.toFixed(2)} like those of known scams, from 0 (harmless) to 1${words === '' ? '' : `, above all ${words}`}`;
}

function inWords(item: EvidenceItem): EvidenceItem {
  return item.reason === undefined ? item : { ...item, reason: reasonInWords(item.reason) };
}

function entitiesSection(brief: Brief): string {
  const lines = Object.entries(brief.entities)
    .filter(([, values]) => values.length > 0)
    .map(([type, values]) => `- ${inertText(type, 64)}: ${valuesOf(values)}`);
  return lines.length === 0 ? '' : ['## What the text names', '', ...lines].join('\n');
}

function valuesOf(values: string[]): string {
  const rest = values.length - VALUES_SHOWN;
  const shown = values.slice(0, VALUES_SHOWN).map((value) => inertText(value, 300));
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
