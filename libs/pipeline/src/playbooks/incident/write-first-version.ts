import {
  reasonInWords,
  type IncidentResult,
  type LookUp,
  type Report,
  type RunSettings,
} from '@casefile/contracts';
import { inLine } from '../../plain-text.js';
import { inertText } from '../../report-markdown.js';
import type { WriteInput } from '../../stage-parts.js';
import { conclusionOf } from './decide.js';
import { lookUpHead } from './model/show.js';
import {
  hypothesisLine,
  list,
  nothingLookedUp,
  runbookSection,
  section,
  senderLines,
  struckOut,
  wordsOf,
} from './report-sections.js';
import { incidentIn } from './runbook.js';

const TITLE = { page: 'Page', ticket: 'Ticket', 'no-action': 'No action' } as const;

/** Writes the report of the first version of the playbook, so that replays of its runs reproduce it. */
export function writeFirstReport(unit: WriteInput, settings: RunSettings): Report {
  const { brief, evidence, draft } = unit;
  const { action, because, result } = conclusionOf(unit, settings, false);
  const incident = incidentIn(brief);
  const { startsAt } = incident;
  const title = `${TITLE[action]}: ${inLine(result.name, 120)}`;
  const since = startsAt === null ? '' : ` Since ${inertText(startsAt, 64)}.`;
  const sections = [
    `# ${inertText(title)}`,
    `**${inertText(because)}** Severity: ${result.severity}.${since}`,
    section('What happened', [inertText(result.summary, 4_000)]),
    list('What its sender says', senderLines(incident, brief.text, inertText)),
    section('Impact', [inertText(result.impact.what)]),
    list(
      'Likely causes',
      result.hypotheses.map((one) => hypothesisLine(one, inertText)),
    ),
    list(
      'Ruled out',
      result.ruledOut.map(({ cause, citations }) => `${inertText(cause)}${wordsOf(citations, inertText)}`),
    ),
    list('What to do now', incidentResultSteps(result, draft.method === 'heuristic')),
    list(
      'What could not be looked up',
      result.gaps.map((gap) => inertText(gap)),
    ),
    list('What was struck out', struckOut(result, inertText)),
    list(
      'Looked up',
      result.lookUps.length > 0 ? result.lookUps.map(lookUpLine) : [nothingLookedUp(evidence)],
    ),
    runbookSection(result, evidence, inertText),
    result.endedBy === null ? '' : `The look-ups ended early: ${inertText(reasonInWords(result.endedBy))}.`,
  ];
  return {
    title,
    markdown: `${sections.filter((text) => text !== '').join('\n\n')}\n`,
    citations: draft.evidenceUsed,
  };
}

function incidentResultSteps({ steps }: IncidentResult, ofRunbook: boolean): string[] {
  if (ofRunbook) return steps.map(({ what }) => `By the runbook: ${inertText(what)}`);
  return steps.map(
    ({ what, risk, reversible }) =>
      `${inertText(what)} (risk ${risk}, ${reversible ? 'can be undone' : 'cannot be undone'})`,
  );
}

function lookUpLine(lookUp: LookUp): string {
  const { gap, said, at, source } = lookUp;
  const came = gap === null ? inertText(said) : `**no answer:** ${inertText(gap, 300)}`;
  return `${inertText(lookUpHead(lookUp), 400)} (${inertText(source, 200)}, ${inertText(at, 64)}): ${came}`;
}
