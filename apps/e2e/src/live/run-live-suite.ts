import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseDocument, RunDocument } from '@casefile/contracts';
import { createLanguageModel, type ResolvedProvider } from '@casefile/llm';
import { systemClock } from '@casefile/runtime';
import { importSamplePolicy } from '../testing/sample-policy.js';
import { scamPatternSeed } from '../testing/screening-samples.js';
import { inlineWorld } from '../testing/world.js';
import { LIVE_CASES, type LiveCase } from './live-cases.js';

/** Outcome of one case. */
export interface LiveRow {
  playbook: string;
  name: string;
  accepts: readonly string[];
  outcome: string;
  /** 0 to 1. */
  confidence: number;
  method: string;
  modelCalls: number;
  toolCalls: number;
  tokens: number;
  /** US dollars at list price; null: a call has no known price. */
  costUsd: number | null;
  seconds: number;
  /** Problems of the case; empty: it passes. */
  problems: string[];
}

export interface LiveResult {
  /** YYYY-MM-DD. */
  date: string;
  provider: string;
  /** Requested model. */
  model: string;
  /** Model names in the answers. */
  served: string[];
  rows: LiveRow[];
}

const OUTCOME_KEYS = ['riskLevel', 'decision', 'status', 'action', 'confidenceLevel'];
/** Timeout in milliseconds: one case may need a dozen calls of a reasoning model. */
const CASE_WITHIN_MS = 300_000;
const SIMULATED = /simulator|demonstration/i;

/**
 * Judges every case of the suite with this model, in a separate record.
 * @param env Additional environment, such as the URL for embeddings.
 */
export async function runLiveSuite(
  { entry, apiKey }: ResolvedProvider,
  env: Record<string, string> = {},
  cases: readonly LiveCase[] = LIVE_CASES,
): Promise<LiveResult> {
  const model = createLanguageModel(entry, { apiKey, clock: systemClock });
  const world = await inlineWorld(model, env);
  const served = new Set<string>();
  try {
    await world.platform.knowledge.seed(scamPatternSeed());
    await importSamplePolicy(world.platform.knowledge.policies);
    const rows: LiveRow[] = [];
    for (const one of cases) {
      const started = performance.now();
      const { caseId } = await world.platform.intake.accept(one.alert);
      const caseDocument = await world.ended(caseId, CASE_WITHIN_MS);
      rows.push(rowOf(one, caseDocument, (performance.now() - started) / 1000));
      for (const { state, model: by } of runOf(caseDocument).interactions)
        if (state === 'completed') served.add(by);
    }
    const date = new Date(systemClock.now()).toISOString().slice(0, 10);
    return { date, provider: entry.name, model: entry.model, served: [...served], rows };
  } finally {
    await world.close();
  }
}

function runOf({ runs }: CaseDocument): RunDocument {
  const [run] = runs;
  if (run === undefined) throw new Error('a case without a run');
  return run;
}

function rowOf(one: LiveCase, caseDocument: CaseDocument, seconds: number): LiveRow {
  const { verdict, interactions, toolCalls, reasonCode } = runOf(caseDocument);
  const key = OUTCOME_KEYS.find((name) => typeof verdict?.outcome[name] === 'string');
  const outcome = key === undefined ? (reasonCode ?? 'no verdict') : String(verdict?.outcome[key]);
  const costs = interactions.map(({ costUsd }) => costUsd);
  const calls = toolCalls.filter(({ stage }) => stage === 'reason').length;
  const method = verdict?.method ?? 'none';
  return {
    playbook: one.playbook,
    name: one.name,
    accepts: one.accepts,
    outcome,
    method,
    confidence: verdict?.confidence ?? 0,
    modelCalls: interactions.length,
    toolCalls: calls,
    seconds,
    tokens: interactions.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0),
    costUsd: costs.some((cost) => cost === null)
      ? null
      : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    problems: [
      ...(method === 'llm' ? [] : [`judged by ${method}, not by the model`]),
      ...(one.accepts.includes(outcome) ? [] : [`${outcome}, expected ${one.accepts.join(' or ')}`]),
      ...(one.callsTools === true && calls === 0 ? ['no tool was called'] : []),
    ],
  };
}

/** Returns the result as a page with one table per playbook. */
export function liveTable({ date, provider, model, served, rows }: LiveResult): string {
  const passed = rows.filter(({ problems }) => problems.length === 0).length;
  const playbooks = [...new Set(rows.map(({ playbook }) => playbook))];
  return [
    `# ${provider}, ${model}, ${date}`,
    `${passed} of ${rows.length} cases pass. Answers name the model ${served.join(', ') || '(none came)'}.`,
    ...playbooks.map((playbook) =>
      tableOf(
        playbook,
        rows.filter((row) => row.playbook === playbook),
      ),
    ),
    '',
  ].join('\n\n');
}

const HEAD = [
  'case',
  'outcome',
  'confidence',
  'method',
  'model calls',
  'tool calls',
  'tokens',
  'cost',
  'seconds',
  'passes',
];

function tableOf(playbook: string, rows: LiveRow[]): string {
  const lines = rows.map((row) => [
    row.name,
    row.outcome,
    row.confidence.toFixed(2),
    row.method,
    ...[row.modelCalls, row.toolCalls, row.tokens].map(String),
    row.costUsd === null ? 'not known' : `$${row.costUsd.toFixed(4)}`,
    row.seconds.toFixed(1),
    row.problems.length === 0 ? 'yes' : `no: ${row.problems.join('; ')}`,
  ]);
  const line = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`;
  return [`## ${playbook}\n`, line(HEAD), line(HEAD.map(() => '---')), ...lines.map(line)].join('\n');
}

/**
 * Saves a result of a real provider in `folder`, under its date, provider and model.
 * @returns the file; null: the answers were simulated, and nothing is saved.
 */
export function keepResult(result: LiveResult, folder: string): string | null {
  const { date, provider, model, served } = result;
  if ([provider, model, ...served].some((name) => SIMULATED.test(name)) || served.length === 0) return null;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${date}-${provider}-${model.replaceAll(/[^\w.-]+/g, '-')}.md`);
  writeFileSync(path, liveTable(result));
  return path;
}
