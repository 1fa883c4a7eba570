import { t } from '../../../strings/text.js';
import type {
  CitableFact,
  CriterionResult,
  Draft,
  Interaction,
  Json,
  JsonObject,
  ShownRun,
  ToolCall,
  TraceStep,
  UnitRecord,
} from '@casefile/contracts';

/** Input of the check as the brief has it. */
export interface CriteriaInput {
  policy: { policyId: string; version: number; title: string };
  title: string | null;
  facts: CitableFact[];
  criteria: { id: string; text: string }[];
  combine: { rule: string; n?: number };
}

/** One criterion of a run with its result or its current stage. */
export interface CriterionRow {
  id: string;
  text: string;
  /** null: no result yet. */
  result: CriterionResult | null;
  /** Round of the result. */
  round: number;
  unit: UnitRecord | undefined;
}

/** Returns the criteria input of a run, or null if the run is of another kind or has no brief yet. */
export function runCriteriaInput(run: Pick<ShownRun, 'artifacts'>): CriteriaInput | null {
  const brief = run.artifacts.find(({ artifact, unit }) => artifact === 'brief' && unit === '');
  const input = brief?.body['input'] as JsonObject | undefined;
  const isOne =
    Array.isArray(input?.['criteria']) && Array.isArray(input['facts']) && isObject(input['policy']);
  // The playbook validated the input against its schema before writing it.
  return isOne && isObject(input['combine']) ? (input as unknown as CriteriaInput) : null;
}

/** Returns the criteria in the order of the case, each with the result of its newest round. */
export function criterionRows(
  run: Pick<ShownRun, 'artifacts' | 'units'> & Partial<Pick<ShownRun, 'verdict'>>,
  { criteria }: CriteriaInput,
): CriterionRow[] {
  return criteria.map(({ id, text }) => {
    const drafts = run.artifacts.filter(({ artifact, unit }) => artifact === 'draft' && unit === id);
    const newest = drafts.sort((a, b) => b.round - a.round)[0];
    return {
      id,
      text,
      round: newest?.round ?? 1,
      result:
        decidedResult(run, id) ??
        (newest === undefined ? null : resultIn((newest.body as unknown as Draft).answer)),
      unit: run.units.find(({ unit }) => unit === id),
    };
  });
}

// The review may reject the answer of a draft: the verdict has what is left of it.
function decidedResult(
  { verdict }: Partial<Pick<ShownRun, 'verdict'>>,
  sought: string,
): CriterionResult | null {
  const decided = verdict?.outcome['criteria'];
  const own = Array.isArray(decided)
    ? decided.find((one) => isObject(one) && one['id'] === sought)
    : undefined;
  return isObject(own) ? resultIn(own) : null;
}

function resultIn(answer: JsonObject): CriterionResult | null {
  const is = typeof answer['status'] === 'string' && Array.isArray(answer['trace']);
  return is ? (answer as unknown as CriterionResult) : null;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the model call of a turn: of several attempts the answered one, else the last. */
export function callOfTurn(
  { interactions }: Pick<ShownRun, 'interactions'>,
  { id, round }: Pick<CriterionRow, 'id' | 'round'>,
  step: number,
): Interaction | undefined {
  const attempts = interactions
    .filter((it) => it.stage === 'reason' && it.unit === id && it.round === round && it.step === step)
    .filter(({ toolCallId }) => toolCallId == null)
    .sort((a, b) => a.attempt - b.attempt);
  return attempts.findLast(({ state }) => state === 'completed') ?? attempts.at(-1);
}

/**
 * Returns the model's reasoning in a turn as the trace has it. Older runs have the reasoning only in the
 * interaction.
 */
export function traceStepThought(
  { thought }: Pick<TraceStep, 'thought'>,
  call: Interaction | undefined,
): string {
  return thought === '' ? (call?.reasoningSummary ?? '').trim() : thought;
}

/** Returns the record of a tool call, with the model calls that the tool made. */
export function recordedCall(
  run: Pick<ShownRun, 'toolCalls' | 'interactions'>,
  toolCallId: string | null,
): { call: ToolCall | undefined; interactions: Interaction[] } {
  if (toolCallId === null) return { call: undefined, interactions: [] };
  return {
    call: run.toolCalls.find(({ id }) => id === toolCallId),
    interactions: run.interactions.filter((it) => it.toolCallId === toolCallId),
  };
}

/** Describes how many of the criteria have to be met. */
export function combinationText({ combine, criteria }: CriteriaInput): string {
  const total = criteria.length;
  if (total === 1) return t('policyCheck.theOneCriterionHasTo');
  if (combine.rule === 'any') return t('policyCheck.oneOfCriteriaMetIs', { total });
  if (combine.rule === 'n-of-m')
    return t('policyCheck.atLeastOfCriteriaHave', { n: combine.n ?? total, total });
  return t('policyCheck.allCriteriaHaveToBe', { total });
}

/** Counts the results: `2 met · 1 uncertain`. */
export function countsText(rows: readonly CriterionRow[]): string {
  const names = [
    ['MET', 'met'],
    ['NOT_MET', t('policyCheck.notMet')],
    ['UNCERTAIN', 'uncertain'],
    [undefined, t('policyCheck.notDecidedYet')],
  ] as const;
  return names
    .map(([status, words]) => [rows.filter(({ result }) => result?.status === status).length, words] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(' · ');
}
