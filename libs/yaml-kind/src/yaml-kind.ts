import { join } from 'node:path';
import {
  parseInput,
  z,
  type AlertInput,
  type FieldProblem,
  type Json,
  type JsonObject,
  type ToolRequest,
} from '@casefile/contracts';
import {
  asRecorded,
  buildReport,
  byRules,
  confidenceScale,
  decisionRule,
  defineKind,
  defineOptions,
  evaluationByField,
  definePlaybook,
  fromPayload,
  listSection,
  lookUps,
  matching,
  mechanical,
  neverRepeated,
  payloadProblems,
  singleShot,
  withSettingsItems,
  wordOf,
  type Decision,
  type DecisionFacts,
  type Kind,
  type RuleAnswer,
  type SettingsItem,
} from '@casefile/kit';
import { findingsListed } from '@casefile/pipeline/report-markdown';
import { missingParts, type DecidedUnits, type Missing } from '@casefile/pipeline/parts/deciding';
import { evidenceText } from './evidence-text.js';
import type { Facts } from './expression.js';
import { yamlQuestion } from './question.js';
import type { CompiledKind } from './compile-kind.js';

const NO_FACTS = { answer: {}, confidence: 0, evidence: [], degraded: false, item: null };

/** Creates the kind that a compiled file describes. */
export function yamlKind(file: CompiledKind): Kind {
  const { name, version, title, decision, labels, display } = file;
  const options = defineOptions(
    name,
    z.strictObject({
      deadlineMs: z.number().int().positive().default(file.options.deadlineMs),
      toolWaitMs: z.number().int().positive().default(file.options.toolWaitMs),
      ...file.settingSchemas,
    }),
  );
  const question = yamlQuestion(file);
  const rules = { answer: ruleAnswer(file) };
  const actions = [...new Set([...decision.map(({ action }) => action), 'review'])];
  const judged = z.object({ action: z.enum(actions) });
  const [answered = 'action'] = Object.keys(file.question?.answer.properties ?? file.rules[0]?.answer ?? {});
  const dispositionOf = (action: string) =>
    decision.find((row) => row.action === action)?.disposition ?? 'review';
  const playbook = definePlaybook({
    name,
    version,
    intake: {
      claims: matching(`Its payload fits: ${title}.`, (alert) => inputProblems(file, alert).length === 0),
      problems: (alert) => inputProblems(file, alert),
      repeats: neverRepeated,
      entrances: [],
    },
    triage: fromPayload(({ payload }) => {
      const input = parseInput(file.input, payload, 'payload');
      return { text: file.text({ input, ...NO_FACTS }), input, units: [] };
    }),
    tools: [...new Set(file.lookUps.map(({ tool }) => tool))],
    collect: withSettingsItems(
      ({ brief, settings }) => settingsItems(file, brief.input ?? {}, options.read(settings.options)),
      lookUps({
        plan: ({ brief }) => planned(file, brief.input ?? {}).requests,
        waitMs: (_brief, { run }) => options.read(run.settings.options).toolWaitMs,
      }),
    ),
    strategies: {
      ...(question === null ? {} : { 'single-shot': singleShot(question, rules, options) }),
      rules: byRules('rules', rules),
    },
    strategy: question === null ? 'rules' : 'single-shot',
    thinking: 'as-provider',
    maxRounds: 1,
    onOutage: 'fallback',
    critique: mechanical(evidenceText),
    write: ([unit]) =>
      buildReport(title, [listSection('Why', [unit.draft.explanation]), findingsListed(unit)], unit),
    decision: decisionRule({
      name: `${name}-table`,
      missing: (units) => missingIn(file, units),
      decide: (facts) => decide(file, facts),
    }),
    outward: asRecorded,
    presenting: {
      title,
      payload: file.input,
      ...(display === undefined ? {} : { display }),
      word: ({ outcome }) => wordOf(outcome['action']),
      answer: (answer) => wordOf(answer[answered]),
      judged,
      impliedDisposition: (outcome) => {
        const read = judged.safeParse(outcome);
        return read.success ? dispositionOf(read.data.action) : null;
      },
      rule: `The first row of the decision table that applies decides: ${actions.join(', ')}.`,
      labels,
      scales: (verdict) => [confidenceScale(verdict)],
    },
    options,
  } as Parameters<typeof definePlaybook>[0]);
  return defineKind({
    playbook,
    commandLine: async () => ({ evaluation: labelledSet(file, actions) }),
  });
}

function labelledSet({ name, folder, evaluation, input }: CompiledKind, values: readonly string[]) {
  if (evaluation === undefined) return null;
  const set = { name: 'seen', about: 'payloads that may be read', path: join(folder, evaluation) };
  return evaluationByField({ playbook: name, field: 'action', values, payload: input, sets: [set] });
}

function inputProblems({ input, text }: CompiledKind, alert: AlertInput): FieldProblem[] {
  const problems = payloadProblems(input, alert);
  if (problems.length > 0) return problems;
  try {
    text({ input: input.parse(alert.payload ?? {}), ...NO_FACTS });
    return [];
  } catch (thrown) {
    return [{ path: 'payload', message: (thrown as Error).message }];
  }
}

/** Returns the look-ups of a case, and whether one of them cannot be evaluated. */
function planned(
  { lookUps: rows }: CompiledKind,
  input: JsonObject,
): { requests: ToolRequest[]; isUnread: boolean } {
  const facts = { input, ...NO_FACTS };
  let isUnread = false;
  const requests = rows.flatMap(({ tool, args, when }) => {
    try {
      if (!when(facts)) return [];
      const given = Object.entries(args).map(([arg, value]) => [arg, value(facts)] as const);
      return [{ tool, args: Object.fromEntries(given) }];
    } catch {
      isUnread = true;
      return [];
    }
  });
  return { requests, isUnread };
}

/** Most items of a list, each of which is compared with the case. */
const MOST_LISTED = 2_000;

/**
 * Returns the items of lists in the settings that concern a case. If a list is too long, or a condition or text cannot
 * be evaluated, its row is a gap: a rule that asks whether something is on a list must not dismiss the case then.
 */
function settingsItems(
  { evidence }: CompiledKind,
  input: JsonObject,
  settings: Readonly<Record<string, unknown>>,
): SettingsItem[] {
  return evidence.flatMap(({ each, type, when, value }, i) => {
    const items = settings[each] as Json[];
    const gap = (problem: string) => [
      { type, value: each, result: null, problem: `evidence[${i}]: ${problem}` },
    ];
    if (items.length > MOST_LISTED)
      return gap(`${each} has ${items.length} items, and at most ${MOST_LISTED} can be compared`);
    try {
      return items.flatMap((item): SettingsItem[] => {
        const facts = { input, ...NO_FACTS, item };
        return when(facts) ? [{ type, value: value(facts), result: item }] : [];
      });
    } catch (thrown) {
      return gap((thrown as Error).message);
    }
  });
}

// A look-up that cannot be evaluated is one that failed: a row that asks whether something was not found must not
// dismiss the case then.
function missingIn(file: CompiledKind, units: DecidedUnits): Missing {
  const { causes, lookUps } = missingParts(units);
  const [{ brief }] = units;
  const isUnread = brief.collect && planned(file, brief.input ?? {}).isUnread;
  return { causes: [...causes, isUnread ? 'lookups_failed' : null], lookUps };
}

const ruleAnswer =
  ({ rules }: CompiledKind): RuleAnswer =>
  ({ brief, evidence }) => {
    const facts = { ...NO_FACTS, input: brief.input ?? {}, evidence: evidenceFacts(evidence.items) };
    const found = firstRow(rules, facts);
    const isRead = 'row' in found;
    return {
      answer: isRead ? found.row.answer : {},
      explanation: isRead ? wordsOf(found.row.because, facts) : `The rules give no answer: ${found.problem}.`,
      claims: [],
      evidenceUsed: isRead ? evidence.items.filter(({ success }) => success).map(({ id }) => id) : [],
      remarks: [],
      confidence: isRead ? 1 : 0,
      confidenceSource: 'heuristic',
      method: 'heuristic',
    };
  };

/** A case to which no row applies needs review, with the reason. */
function decide(
  { decision }: CompiledKind,
  { unit: { brief, evidence, draft, review }, degraded }: DecisionFacts,
): Decision {
  const facts: Facts = {
    input: brief.input ?? {},
    answer: draft.answer,
    confidence: draft.confidence,
    evidence: evidenceFacts(evidence.items),
    degraded,
    item: null,
  };
  const isAnswered = Object.keys(draft.answer).length > 0;
  const found = isAnswered ? firstRow(decision, facts) : { problem: 'nothing judged the case' };
  const outcome = { ...draft.answer, summary: draft.explanation };
  if ('problem' in found)
    return {
      outcome: { ...outcome, action: 'review' },
      disposition: 'review',
      reasons: [`A person decides, because ${found.problem}.`],
    };
  const { action, disposition, because } = found.row;
  const warnings = review.findings.map(({ message }) => message);
  // A warning of the review is a doubt about the answer, so a person decides.
  const isDoubted = review.ruling !== 'PASS' && disposition === 'dismiss';
  const isKept = (degraded || isDoubted) && disposition === 'dismiss';
  return {
    outcome: { ...outcome, action: isKept ? 'review' : action },
    disposition: isDoubted ? 'review' : disposition,
    reasons: [wordsOf(because, facts), ...warnings],
  };
}

/** Returns the first row whose condition is true, or why there is none. The reason names the row. */
function firstRow<R extends { when(facts: Facts): boolean }>(
  rows: readonly R[],
  facts: Facts,
): { row: R } | { problem: string } {
  for (const [i, row] of rows.entries())
    try {
      if (row.when(facts)) return { row };
    } catch (thrown) {
      return { problem: `row ${i + 1} of the table cannot be read: ${(thrown as Error).message}` };
    }
  return { problem: 'no row of the table applies' };
}

function wordsOf(words: (facts: Facts) => string, facts: Facts): string {
  try {
    return words(facts);
  } catch (thrown) {
    return `The reason cannot be worded: ${(thrown as Error).message}.`;
  }
}

function evidenceFacts(items: DecisionFacts['unit']['evidence']['items']): JsonObject[] {
  return items.map(({ id, toolName, success, entityType, entityValue, result, given }) => ({
    id,
    // Evidence of the sender must not be taken for a result of Casefile's look-ups.
    tool: given === true ? `sender:${toolName}` : toolName,
    ok: success,
    type: entityType,
    value: entityValue,
    result,
  }));
}
