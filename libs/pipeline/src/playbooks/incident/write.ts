import {
  reasonInWords,
  type IncidentResult,
  type LookUp,
  type ReadCitation,
  type Report,
} from '@casefile/contracts';
import { inertText } from '../../report-markdown.js';
import { inLine } from '../../plain-text.js';
import type { WriteInput } from '../../playbook.js';
import { decided } from './decide.js';
import { headOf } from './model/show.js';
import { options } from './options.js';
import { incidentIn } from './runbook.js';
import { resultIn } from './result.js';

const TITLE = { page: 'Page', ticket: 'Ticket', 'no-action': 'No action' } as const;

/**
 * The report for whoever is on call: what happened, what is known, what was ruled out, what to do now with its risk, and
 * what could not be looked up. Nothing from outside makes markup in it. S2-44.
 */
export function writeReport(
  { brief, draft }: WriteInput,
  frozen: Parameters<typeof options.read>[0],
): Report {
  const result = resultIn(draft);
  const { resolved, startsAt } = incidentIn(brief);
  const { action, because } = decided(result, draft, { resolved, pageFrom: options.read(frozen).pageFrom });
  const title = `${TITLE[action]}: ${inLine(result.name, 120)}`;
  const since = startsAt === null ? '' : ` Since ${inertText(startsAt, 64)}.`;
  const sections = [
    `# ${inertText(title)}`,
    `**${inertText(because)}** Severity: ${result.severity}.${since}`,
    section('What happened', [inertText(result.summary, 4_000)]),
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
    list('Looked up', result.lookUps.map(lookUpLine)),
    runbookSection(result),
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

function runbookSection({ runbook }: IncidentResult): string {
  if (runbook === null) return '';
  const { title, source, pin, why } = runbook;
  return `## Runbook\n\n${inertText(title, 300)} (${inertText(source, 500)}, ${inertText(pin, 80)}). ${inertText(why)}`;
}
