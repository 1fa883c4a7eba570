import { reasonInWords, type LookUp, type Moment, type Report, type RunSettings } from '@casefile/contracts';
import type { IncidentResult, IncidentStep } from '@casefile/contracts';
import { pastCaseSection } from '@casefile/pipeline/past-cases';
import { inLine } from '@casefile/pipeline/plain-text';
import { claimsListed } from '@casefile/pipeline/claims/show-claims';
import { examinationListed } from '@casefile/pipeline/report-markdown';
import type { WriteInput } from '@casefile/pipeline/stage-parts';
import { hostsIn, inertTechnicalText } from '@casefile/pipeline/technical-text';
import type { Incident } from './alert.js';
import { conclusionOf, type IncidentConclusion } from './decide.js';
import { lookUpHead } from './model/show.js';
import { measuredSentence } from './measured.js';
import { placesIn } from './places.js';
import { readAlarms, isKnownImpact, reportedIn, stateInWords } from './proven.js';
import {
  hypothesisLine,
  list,
  nothingLookedUp,
  runbookSection,
  section,
  senderLines,
  struckOut,
  wordsOf,
  type Inert,
} from './report-sections.js';
import { readsOf } from './read-result.js';
import { incidentIn, runbookIn } from './runbook.js';
import { titling } from './tool-titles.js';

const TITLE = { page: 'Page', ticket: 'Ticket', 'no-action': 'No action' } as const;
const WHY = { page: 'Why a page', ticket: 'Why a ticket', 'no-action': 'Why no action' } as const;

/**
 * Writes the report for the person on call. First: the problem, who is affected, since when, the likely
 * cause, and the actions with their risks. Then: the timeline with sources, excluded causes, and unproven
 * claims. Outside text cannot add markup. Technical names stay unchanged.
 */
export function writeReport(unit: WriteInput, settings: RunSettings): Report {
  const { brief, evidence, draft } = unit;
  const decided = conclusionOf(unit, settings);
  const { action, result } = decided;
  const incident = incidentIn(brief);
  const known = hostsIn(`${brief.text}\n${runbookIn(evidence)?.text ?? ''}\n${result.runbook?.source ?? ''}`);
  const inert: Inert = (text, max) => inertTechnicalText(text, known, max);
  const title = `${TITLE[action]}: ${inLine(result.name, 120)}`;
  const said = reportedIn(incident);
  const byRules = draft.method === 'heuristic';
  const sections = [
    `# ${inert(title)}`,
    said === result.name ? '' : `**${sentence(inert(said))}**`,
    lead(decided, incident, readAlarms(readsOf(evidence, draft), incident.startsAt), byRules, inert),
    list(
      'What to do now',
      result.steps.map((step) => stepLine(step, inert)),
    ),
    section('What happened', [
      byRules || !isOfModel(result, draft.explanation) ? '' : inert(result.summary, 4_000),
    ]),
    list(
      'Timeline',
      (result.timeline ?? []).map((moment) => momentLine(moment, inert)),
    ),
    list(
      'Likely causes',
      result.hypotheses.map((one) => hypothesisLine(one, inert)),
    ),
    list(
      'Ruled out',
      result.ruledOut.map(({ cause, citations }) => `${inert(cause)}${wordsOf(citations, inert)}`),
    ),
    list(
      'What the model takes for a sign that nothing is wrong',
      (result.falseAlarm ?? []).map(({ id, quote }) => `“${inert(quote, 300)}” \\[${inert(id, 32)}\\]`),
    ),
    list('What its sender says', senderLines(incident, brief.text, inert)),
    list(
      'What could not be looked up',
      result.gaps.map((gap) => inert(gap)),
    ),
    list(
      'Stated without proof',
      (result.unproven ?? []).map(({ of, text, why }) => `${OF[of]}: ${inert(text)} (${inert(why, 300)})`),
    ),
    list('What was struck out', struckOut(result, inert)),
    examinationListed(unit, inert),
    claimsListed(unit.review, inert),
    list(
      'Looked up',
      result.lookUps.length > 0
        ? result.lookUps.map((lookUp) => lookUpLine(lookUp, titling(evidence), inert))
        : [nothingLookedUp(evidence)],
    ),
    pastCaseSection(evidence.items, inert),
    runbookSection(result, evidence, inert),
    result.endedBy === null ? '' : `The look-ups ended early: ${inert(reasonInWords(result.endedBy))}.`,
  ];
  return {
    title,
    markdown: `${sections.filter((text) => text !== '').join('\n\n')}\n`,
    citations: draft.evidenceUsed,
  };
}

const OF = { summary: 'Summary', impact: 'Impact', action: 'To do', cause: 'Cause' } as const;

/** The problem, who is affected, since when, and the reason for a page or not. */
function lead(
  { action, result, ownReason, doubts }: IncidentConclusion,
  incident: Incident,
  alarms: ReturnType<typeof readAlarms>,
  byRules: boolean,
  inert: Inert,
): string {
  const { startsAt } = incident;
  const where = placesIn(incident);
  const [first] = result.hypotheses;
  const cause =
    first === undefined
      ? `not known: ${byRules ? 'no model looked for one' : 'no cause is confirmed'}`
      : `${inert(first.cause)} (${Math.round(first.probability * 100)} of 100) \\[${inert(first.citations.map(({ id }) => id).join(', '), 100)}\\]`;
  const severity = result.severity === 'unknown' ? 'no severity given' : `severity ${result.severity}`;
  return [
    `- **Affected:** ${impactText(result, where, inert)}`,
    `- **Since:** ${startsAt === null ? 'not known' : timeInWords(startsAt, inert)}, ${stateInWords(incident, result.resolvedAt !== null || incident.resolved)}, ${severity}`,
    ...alarms.map(({ id, words }) => `- **Seen:** “${inert(words, 300)}” \\[${inert(id, 32)}\\]`),
    ...measuredSentence(result).map((text) => `- **Looked up:** ${inert(text, 1_000)}`),
    `- **Likely cause:** ${cause}`,
    `- **${WHY[action]}:** ${[ownReason, ...doubts].map((text) => inert(text)).join(' ')}`,
  ].join('\n');
}

function impactText({ impact }: IncidentResult, where: string, inert: Inert): string {
  if (isKnownImpact(impact)) return `${inert(impact.what)}${where === '' ? '' : ` (${inert(where)})`}`;
  return where === '' ? 'not known from the alert' : `${inert(where)}; the alert does not say who`;
}

const sentence = (text: string): string => (/[.!?。！？]$/.test(text) ? text : `${text}.`);

/**
 * Returns whether the summary is the model's own. Otherwise the summary repeats the beginning of the report.
 */
const isOfModel = ({ summary }: IncidentResult, written: string): boolean =>
  written.includes(summary.slice(0, 40));

function timeInWords(at: string, inert: Inert): string {
  const parsed = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::00|(:\d{2}))?(?:\.\d+)?Z$/.exec(at);
  if (parsed === null) return inert(at, 64);
  const [, day, minutes, seconds = ''] = parsed;
  return `${day} ${minutes}${seconds} UTC`;
}

function momentLine({ at, what, source }: Moment, inert: Inert): string {
  const from = source === 'alert' ? '(the alert)' : `\\[${inert(source, 32)}\\]`;
  return `**${timeInWords(at, inert)}** ${inert(what, 300)} ${from}`;
}

function stepLine({ what, risk, reversible, hazard, ofRunbook }: IncidentStep, inert: Inert): string {
  const undone = reversible ? 'can be undone' : 'cannot be undone';
  const effect = hazard === undefined ? '' : `**${hazard}: `;
  const end = hazard === undefined ? '' : '**';
  if (ofRunbook === true)
    return `By the runbook: ${inert(what)}${hazard === undefined ? '' : ` (${effect}risk high, cannot be undone${end})`}`;
  return `${inert(what)} (${effect}risk ${risk}, ${undone}${end})`;
}

function lookUpLine(lookUp: LookUp, titled: (text: string) => string, inert: Inert): string {
  const { gap, said, at, source, tool } = lookUp;
  const came = gap === null ? inert(said) : `**no answer:** ${inert(gap, 300)}`;
  const head = lookUpHead({ ...lookUp, tool: titled(tool) });
  return `${inert(head, 400)} (${inert(source, 200)}, ${timeInWords(at, inert)}): ${came}`;
}
