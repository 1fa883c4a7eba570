import {
  reasonInWords,
  type Evidence,
  type IncidentResult,
  type LookUp,
  type ReadCitation,
  type Report,
  type RunSettings,
} from '@casefile/contracts';
import { examinationListed, inertText } from '../../report-markdown.js';
import { inLine } from '../../plain-text.js';
import type { WriteInput } from '../../stage-parts.js';
import { concluded } from './decide.js';
import { headOf } from './model/show.js';
import type { Incident } from './alert.js';
import { isExamined } from './options.js';
import { incidentIn, whyNoRunbook } from './runbook.js';

const TITLE = { page: 'Page', ticket: 'Ticket', 'no-action': 'No action' } as const;

/**
 * The report for whoever is on call: what happened, what is known, what was ruled out, what to do now with its risk, and
 * what could not be looked up. Nothing from outside makes markup in it. S2-44.
 */
export function writeReport(unit: WriteInput, settings: RunSettings): Report {
  const { brief, evidence, draft } = unit;
  const { action, because, result } = concluded(unit, settings, isExamined(settings));
  const incident = incidentIn(brief);
  const { startsAt } = incident;
  const title = `${TITLE[action]}: ${inLine(result.name, 120)}`;
  const since = startsAt === null ? '' : ` Since ${inertText(startsAt, 64)}.`;
  const sections = [
    `# ${inertText(title)}`,
    `**${inertText(because)}** Severity: ${result.severity}.${since}`,
    section('What happened', [inertText(result.summary, 4_000)]),
    list('What its sender says', senderLines(incident, brief.text)),
    section('Impact', [inertText(result.impact.what)]),
    list('Likely causes', result.hypotheses.map(hypothesisLine)),
    list(
      'Ruled out',
      result.ruledOut.map(({ cause, citations }) => `${inertText(cause)}${wordsOf(citations)}`),
    ),
    list('What to do now', stepsOf(result, draft.method === 'heuristic')),
    list(
      'What could not be looked up',
      result.gaps.map((gap) => inertText(gap)),
    ),
    list('What was struck out', struckOut(result)),
    examinationListed(unit),
    list(
      'Looked up',
      result.lookUps.length > 0 ? result.lookUps.map(lookUpLine) : [nothingLookedUp(evidence)],
    ),
    runbookSection(result, evidence),
    result.endedBy === null ? '' : `The look-ups ended early: ${inertText(reasonInWords(result.endedBy))}.`,
  ];
  return {
    title,
    markdown: `${sections.filter((text) => text !== '').join('\n\n')}\n`,
    citations: draft.evidenceUsed,
  };
}

function section(title: string, lines: readonly string[]): string {
  return lines.join('').trim() === '' ? '' : `## ${title}\n\n${lines.join('\n\n')}`;
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** Said elsewhere in the report already. */
const SAID = ['summary', 'impact', 'runbook_url'];
const MOST_LINES = 30;

/** What the alert itself tells, by which whoever is on call finds the thing that it is about. */
function senderLines(
  { name, annotations, labels, summary, links, details }: Incident,
  text: string,
): string[] {
  const told = Object.entries(annotations).filter(([name]) => !SAID.includes(name));
  const places = Object.entries(labels).map(
    ([name, value]) => `${inertText(name, 100)} ${inertText(value, 200)}`,
  );
  const others = [
    ...(summary === '' || summary === name ? [] : [inertText(summary, 2_000)]),
    ...links.map((link) => inertText(link, 500)),
    ...details.map((line) => inertText(line, 500)),
  ];
  if (told.length + places.length + others.length === 0) return wordsBeyond(name, text);
  const lines = told.map(([name, value]) => `${inertText(name, 100)}: ${inertText(value, 1_000)}`);
  return [
    ...lines.slice(0, MOST_LINES),
    ...(places.length === 0 ? [] : [places.slice(0, MOST_LINES).join(', ')]),
    ...others.slice(0, MOST_LINES),
  ];
}

// What has no fields is shown where its name, which is its beginning, is not all of it.
function wordsBeyond(name: string, text: string): string[] {
  const said = text.split('\n').slice(1).join(' ').trim();
  return said.length > name.length ? [inertText(said, 2_000)] : [];
}

function nothingLookedUp({ tools = [], toolsOut = [] }: Evidence): string {
  if (tools.length > 0) return 'Nothing: no runbook names a look-up, and no model asked for one.';
  return toolsOut.length > 0
    ? 'Nothing: no tool could be used.'
    : 'Nothing: no tools are set up for this alert.';
}

function hypothesisLine({ cause, probability, citations }: IncidentResult['hypotheses'][number]): string {
  return `**${Math.round(probability * 100)} of 100:** ${inertText(cause)}${wordsOf(citations)}`;
}

function wordsOf(citations: readonly ReadCitation[]): string {
  if (citations.length === 0) return '';
  return ` (${citations.map(({ id, quote }) => `“${inertText(quote, 300)}” \\[${inertText(id, 32)}\\]`).join('; ')})`;
}

function stepsOf({ steps }: IncidentResult, ofRunbook: boolean): string[] {
  if (ofRunbook) return steps.map(({ what }) => `By the runbook: ${inertText(what)}`);
  return steps.map(
    ({ what, risk, reversible }) =>
      `${inertText(what)} (risk ${risk}, ${reversible ? 'can be undone' : 'cannot be undone'})`,
  );
}

const PROBLEM = {
  unknown_id: 'nothing has this id',
  look_up_failed: 'the look-up failed',
  quote_not_found: 'the words are not in it',
  quote_too_short: 'too few words to tell',
} as const;

function struckOut({ refuted, dropped }: IncidentResult): string[] {
  return [
    ...dropped.map((cause) => `${inertText(cause)}: nothing that was read bears it out`),
    ...refuted.map(
      ({ id, quote, problem }) =>
        `“${inertText(quote, 300)}” \\[${inertText(id, 32)}\\]: ${PROBLEM[problem]}`,
    ),
  ];
}

function lookUpLine(lookUp: LookUp): string {
  const { gap, said, at, source } = lookUp;
  const came = gap === null ? inertText(said) : `**no answer:** ${inertText(gap, 300)}`;
  return `${inertText(headOf(lookUp), 400)} (${inertText(source, 200)}, ${inertText(at, 64)}): ${came}`;
}

function runbookSection({ runbook }: IncidentResult, evidence: Evidence): string {
  if (runbook === null) return `## Runbook\n\nNone: ${inertText(whyNoRunbook(evidence), 500)}`;
  const { title, source, pin, why } = runbook;
  return `## Runbook\n\n${inertText(title, 300)} (${inertText(source, 500)}, ${inertText(pin, 80)}). ${inertText(why)}`;
}
