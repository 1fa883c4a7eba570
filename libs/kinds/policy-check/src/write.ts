import {
  CasefileError,
  criterionResultSchema,
  type ClaimAnswer,
  type CriterionResult,
  type Report,
  type RunSettings,
  reasonInWords,
  type CitableFact,
  type Citation,
  type RefutedCitation,
  type VerifiedCitation,
} from '@casefile/contracts';
import { combinedStatus } from './citations/verify-citations.js';
import { claimRows } from '@casefile/pipeline/claims/show-claims';
import { inertText } from '@casefile/pipeline/report-markdown';
import { inLine, plainText } from '@casefile/pipeline/plain-text';
import type { WriteInput } from '@casefile/pipeline/stage-parts';
import { bundleOf, type CheckedBundle } from './case-bundle.js';
import { unitStanding } from './standing-result.js';
import { combinationInWords, problemInWords, settledInWords, STATUS_WORDS } from './words.js';

/**
 * Writes the report on a whole case: its status, and each criterion with its reason and sources. Quotes link
 * to their section. Outside text cannot add markup.
 * @throws CasefileError `bad_draft` if the answer to a criterion cannot be read.
 */
export function writeReport(
  units: readonly [WriteInput, ...WriteInput[]],
  settings: Pick<RunSettings, 'strategy' | 'options'>,
): Report {
  const bundle = bundleOf(units[0].brief);
  const results = bundle.criteria.map(({ id }) => {
    const result = unitResult(units, id);
    const unit = units.find((one) => one.unit === id);
    return unit === undefined ? result : unitStanding(unit, result, settings).result;
  });
  const statuses = results.map(({ status }) => status);
  const status = combinedStatus(statuses, bundle.combine);
  const title = `Policy check: ${STATUS_WORDS[status]}`;
  const sections = [
    `# ${title}`,
    ...(bundle.title === null ? [] : [inertText(bundle.title, 300)]),
    `**${inertText(settledInWords(results))}.** ${inertText(combinationInWords(status, statuses, bundle.combine))}`,
    `**Policy:** ${inertText(bundle.policy.title, 300)}, version ${bundle.policy.version}. **Strategy:** ${inertText(settings.strategy, 100)}.`,
    ...results.flatMap((result) =>
      criterion(result, bundle, { examined: examinedIn(units, result), compared: comparedIn(units, result) }),
    ),
    `## What it took\n\n${spentResults(results)}`,
  ];
  return { title, markdown: `${sections.join('\n\n')}\n`, citations: [] };
}

function unitResult(units: readonly WriteInput[], id: string): CriterionResult {
  const read = criterionResultSchema.safeParse(units.find(({ unit }) => unit === id)?.draft.answer);
  if (read.success) return read.data;
  throw new CasefileError(
    'bad_draft',
    `the answer to the criterion "${id}" cannot be read: ${read.error.message}`,
  );
}

function criterion(
  result: CriterionResult,
  bundle: CheckedBundle,
  { examined, compared }: { examined: readonly string[]; compared: readonly string[] },
): string[] {
  const { id, text, status, rationale, citations, refuted, withheld, unproven } = result;
  const said = inertText(withheld?.rationale ?? rationale, 5_000);
  const isUnproven = citations.length === 0 && refuted.length > 0;
  return [
    `## ${inertText(id, 64)}: ${STATUS_WORDS[status]}`,
    inertText(text),
    `**Confidence:** ${percent(result.confidence)}${claimNote(result)}.${reason(result)}`,
    ...(isUnproven ? ['Nothing that the answer cited was found, so its reason is not given as one.'] : []),
    ...(said === '' || isUnproven ? [] : [said]),
    ...listedTitle(
      unproven === undefined ? 'Rests on' : 'Cited by the answer that does not stand',
      citations.map((citation) => citationLine(citation, bundle)),
    ),
    ...listedTitle(
      'Did not hold',
      refuted.map((one) => refutedLine(one, withheld !== undefined)),
    ),
    ...listedTitle('Stated without proof', said !== '' && isUnproven ? [said] : []),
    ...listedTitle('Stated without proof', unprovenLines(result)),
    ...listedTitle('Compared with policy and facts by program', compared),
    ...listedTitle('Second model question', examined),
    `${turns(result)}${spentResults([result])}`,
  ];
}

// The model's own reason may contain words of confidential sections, so it may be withheld.
function unprovenLines({ unproven, withheld }: CriterionResult): string[] {
  if (unproven === undefined) return [];
  return withheld === undefined
    ? [inertText(unproven, 5_000)]
    : ['The words of a confidential section are not shown.'];
}

const EXAMINED: Record<ClaimAnswer, string> = {
  supports: 'It confirms the answer',
  contradicts: 'It contradicts the answer',
  not_in_it: 'It finds no support for the answer in the cited sources.',
};

/** Returns the result of a criterion's cross-examination with its quote; empty if there was none. */
function examinedIn(units: readonly WriteInput[], { id, withheld }: CriterionResult): string[] {
  const examined = units.find(({ unit }) => unit === id)?.review.crossExamination;
  if (examined === undefined) return [];
  if (examined.failed !== null) return [`No answer: ${inertText(reasonInWords(examined.failed))}.`];
  return examined.claims.map(({ answer, quote }) => {
    if (quote === null) return EXAMINED[answer];
    const source = inertText(quote.source, 100);
    const words = withheld === undefined ? `“${inertText(quote.words, 500)}”` : 'a quote that is not shown';
    return `${EXAMINED[answer]}: ${words} \\[${source}\\].`;
  });
}

/** Returns the parts of a criterion's answer with the results of their comparison. */
function comparedIn(units: readonly WriteInput[], { id, withheld }: CriterionResult): string[] {
  const claims = units.find(({ unit }) => unit === id)?.review.claims ?? [];
  return claimRows(claims).map(({ part, says, source, result }) => {
    const where = source === '' ? '' : ` \\[${inertText(source, 100)}\\]`;
    const words = withheld === undefined ? `: “${inertText(says, 300)}”${where}` : '';
    return `${inertText(part, 40)} ${result}${words}.`;
  });
}

function claimNote({ status, claimed: before }: CriterionResult): string {
  if (before === null) return '';
  const what = before.status === status ? '' : `${STATUS_WORDS[before.status]} with `;
  return ` (answered: ${what}${percent(before.confidence)})`;
}

function reason({ reasonCode }: CriterionResult): string {
  if (reasonCode === null) return '';
  return ` **Why:** ${inertText(reasonInWords(reasonCode), 200)}.`;
}

function listedTitle(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[`### ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n')];
}

function turns({ iterations, model }: CriterionResult): string {
  if (model === null) return 'Without a model. ';
  return `${iterations} turn${iterations === 1 ? '' : 's'} of ${inertText(model, 200)}. `;
}

// If the price of one call is unknown, the total is unknown too.
function spentResults(results: readonly CriterionResult[]): string {
  const input = results.reduce((sum, { tokens }) => sum + tokens.input, 0);
  const output = results.reduce((sum, { tokens }) => sum + tokens.output, 0);
  const costs = results.map(({ costUsd }) => costUsd);
  const known = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  const least = costs.includes(null)
    ? known > 0
      ? `at least ${dollars(known)}`
      : 'cost not known'
    : dollars(known);
  return inLine(`${input} tokens in, ${output} tokens out, ${least}.`);
}

function dollars(cost: number): string {
  return `$${cost.toFixed(4)}`;
}

function percent(confidence: number): string {
  return `${Math.round(confidence * 100)} of 100`;
}

type Pages = Extract<VerifiedCitation, { kind: 'quote' }>['pages'];

/**
 * Returns a verified citation as one line of Markdown: a quote with a link to its section, a fact with the
 * place where it was read. A report leaves Casefile, so confidential sections are shown by id and title only
 * (S4-15).
 */
function citationLine(citation: VerifiedCitation, { policy, facts }: CheckedBundle): string {
  if (citation.kind === 'absence') return saidOf(citation);
  if (citation.kind === 'fact') {
    const read = facts.filter(({ id }) => citation.factIds.includes(id)).map(citableFactPlace);
    return `${saidOf(citation)}${read.length === 0 ? '' : ` (${read.join('; ')})`}`;
  }
  const { nodeId, title, pages, page } = citation;
  const where = inertText(title === '' ? nodeId : title, 300);
  const link = `/policies/${inLink(policy.policyId)}/versions/${policy.version}?node=${inLink(nodeId)}`;
  const said =
    citation.confidential === true ? `Confidential, section ${inertText(nodeId, 64)}:` : saidOf(citation);
  return `${said} [${where}${pagesOf(page === undefined ? pages : { from: page, to: page })}](${link})`;
}

/** Returns a failed citation: its text, why it does not count, and what the source states instead. */
function refutedLine({ citation, problem, instead }: RefutedCitation, confidential: boolean): string {
  if (citation.kind === 'quote' && confidential)
    return `A quote of section ${inertText(citation.nodeId, 64)}: ${problemInWords(problem)}.`;
  const where = citation.kind === 'quote' ? ` (section ${inertText(citation.nodeId, 64)})` : '';
  const there = instead.map((text) => inertText(text, 300)).join('; ');
  return `${saidOf(citation)}${where}: ${problemInWords(problem)}${there === '' ? '' : `; there is: ${there}`}.`;
}

function saidOf(citation: Citation | VerifiedCitation): string {
  switch (citation.kind) {
    case 'quote':
      return `“${inertText(citation.quote, 4_000)}”`;
    case 'fact': {
      const unit = citation.unit === undefined ? '' : ` ${inertText(citation.unit, 40)}`;
      return `Fact ${inertText(citation.fact, 200)}: ${inertText(String(citation.value), 1_000)}${unit}`;
    }
    case 'absence':
      return `Looked up and not there: ${citation.of === 'fact' ? 'a fact' : 'a section on'} “${inertText(citation.asked)}”`;
  }
}

function citableFactPlace({ document, page, confidence }: CitableFact): string {
  const where = document === undefined ? 'no document' : inertText(document, 500);
  const at = page === undefined ? '' : `, p. ${page}`;
  return `${where}${at}, read with confidence ${confidence}`;
}

function pagesOf(pages: Pages): string {
  if (pages === null) return '';
  return pages.from === pages.to ? `, p. ${pages.from}` : `, pp. ${pages.from} to ${pages.to}`;
}

// Characters that URL encoding keeps can end a link in Markdown, so they are encoded too.
function inLink(id: string): string {
  return encodeURIComponent(plainText(id)).replace(
    /[!'()*_~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
