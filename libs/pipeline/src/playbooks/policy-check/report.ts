import {
  CasefileError,
  criterionResultSchema,
  type CriterionResult,
  type CriterionStatus,
  type Report,
  type RunSettings,
  reasonInWords,
} from '@casefile/contracts';
import { combinedStatus } from '../../citations/index.js';
import { inertText } from '../../markdown-text.js';
import { inLine } from '../../plain-text.js';
import type { WriteInput } from '../../playbook.js';
import { bundleOf, type CheckedBundle } from './case-bundle.js';
import { combinationInWords, settledInWords } from './in-words.js';
import { citationLine, refutedLine } from './report-citations.js';

const STATUS: Record<CriterionStatus, string> = {
  MET: 'met',
  NOT_MET: 'not met',
  UNCERTAIN: 'uncertain',
};

/**
 * The report on a whole case: what it comes to, and each criterion with its reason and what it rests on; quotes link to
 * their section. Nothing from outside makes markup in it. S4-20, S4-23.
 * @throws CasefileError `bad_draft` where the answer to a criterion cannot be read.
 */
export function writeReport(
  units: readonly [WriteInput, ...WriteInput[]],
  { strategy }: Pick<RunSettings, 'strategy'>,
): Report {
  const bundle = bundleOf(units[0].brief);
  const results = bundle.criteria.map(({ id }) => resultOf(units, id));
  const statuses = results.map(({ status }) => status);
  const status = combinedStatus(statuses, bundle.combine);
  const title = `Policy check: ${STATUS[status]}`;
  const sections = [
    `# ${title}`,
    ...(bundle.title === null ? [] : [inertText(bundle.title, 300)]),
    `**${inertText(settledInWords(results))}.** ${inertText(combinationInWords(status, statuses, bundle.combine))}`,
    `**Policy:** ${inertText(bundle.policy.title, 300)}, version ${bundle.policy.version}. **Strategy:** ${inertText(strategy, 100)}.`,
    ...results.flatMap((result) => criterion(result, bundle)),
    `## What it took\n\n${spent(results)}`,
  ];
  return { title, markdown: `${sections.join('\n\n')}\n`, citations: [] };
}

function resultOf(units: readonly WriteInput[], id: string): CriterionResult {
  const read = criterionResultSchema.safeParse(units.find(({ unit }) => unit === id)?.draft.answer);
  if (read.success) return read.data;
  throw new CasefileError(
    'bad_draft',
    `the answer to the criterion "${id}" cannot be read: ${read.error.message}`,
  );
}

function criterion(result: CriterionResult, bundle: CheckedBundle): string[] {
  const { id, text, status, rationale, citations, refuted, withheld } = result;
  const said = withheld?.rationale ?? rationale;
  return [
    `## ${inertText(id, 64)}: ${STATUS[status]}`,
    inertText(text),
    `**Confidence:** ${percent(result.confidence)}${claimed(result)}.${reason(result)}`,
    ...(said.trim() === '' ? [] : [inertText(said, 5_000)]),
    ...listed(
      'Rests on',
      citations.map((citation) => citationLine(citation, bundle)),
    ),
    ...listed(
      'Did not hold',
      refuted.map((one) => refutedLine(one, withheld !== undefined)),
    ),
    `${turns(result)}${spent([result])}`,
  ];
}

function claimed({ status, claimed: before }: CriterionResult): string {
  if (before === null) return '';
  const what = before.status === status ? '' : `${STATUS[before.status]} with `;
  return ` (answered: ${what}${percent(before.confidence)})`;
}

function reason({ reasonCode }: CriterionResult): string {
  if (reasonCode === null) return '';
  return ` **Why:** ${inertText(reasonInWords(reasonCode), 200)} (${inertText(reasonCode, 100)}).`;
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[`### ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n')];
}

function turns({ iterations, model }: CriterionResult): string {
  if (model === null) return 'Without a model. ';
  return `${iterations} turn${iterations === 1 ? '' : 's'} of ${inertText(model, 200)}. `;
}

// Of one call the price is not known: neither is that of all.
function spent(results: readonly CriterionResult[]): string {
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
