import { setMaxListeners } from 'node:events';
import { z } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';
import { terminalProgress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import type { Dataset, ItemResult, Line } from '@casefile/kit/evaluation/dataset';
import type { EvalCase, EvalSystem } from '@casefile/kit/evaluation/eval-system';
import { toJudgedRun, judgedRunSchema } from '@casefile/kit/evaluation/judged-run';
import { addResult, itemKey, readResults } from './results-file.js';

export interface EvaluateOptions {
  /** Number of cases that run concurrently. */
  atOnce: number;
  /** File in which results are kept. A later evaluation resumes from it. */
  resultsFile: string;
  signal: AbortSignal;
}

/**
 * Judges a labelled set, each item in its own case that stays on the record. Items whose result is in the
 * file already are not judged again. If the signal aborts the evaluation, the results so far are returned.
 */
export async function evaluate<J extends ItemResult>(
  dataset: Dataset<J>,
  system: EvalSystem,
  options: EvaluateOptions,
  terminal: Terminal,
): Promise<Line<J>[]> {
  const progress = terminalProgress(terminal, 'judging', dataset.items.length);
  try {
    const basis = { settings: system.settings, ...(await dataset.prepare(system.knowledge, terminal)) };
    const resultsByKey = dataset.keepsResults
      ? await readResults(
          options.resultsFile,
          dataset.schema.and(z.object({ run: judgedRunSchema })) as z.ZodType<Line<J>>,
        )
      : new Map<string, Line<J>>();
    const keyed = dataset.items.map((item) => ({ item, key: itemKey(item.label, basis) }));
    const todo = keyed.filter(({ key }) => !resultsByKey.has(key));
    let done = keyed.length - todo.length;
    // An edit of a prompt or rule does not change the settings, so the user may need another file.
    if (done > 0)
      terminal.err(
        oneLine(
          `casefile: ${done} of ${keyed.length} are judged already in ${options.resultsFile}; --results with another file to judge them again`,
        ),
      );
    progress.to(done);
    await judgeAll(system, todo, options, async (result, { outcome }, evalCase) => {
      resultsByKey.set(result.key, result);
      // Results of an unseen set are not kept.
      if (dataset.keepsResults) {
        await addResult(options.resultsFile, result);
        await system.keepLabel(evalCase, outcome);
      }
      progress.to((done += 1));
    });
    return keyed.flatMap(({ key }) => resultsByKey.get(key) ?? []);
  } finally {
    progress.end();
  }
}

interface KeyedItem<J extends ItemResult> {
  item: Dataset<J>['items'][number];
  key: string;
}

async function judgeAll<J extends ItemResult>(
  system: EvalSystem,
  todo: KeyedItem<J>[],
  options: EvaluateOptions,
  onJudged: (result: Line<J>, item: KeyedItem<J>['item'], evalCase: EvalCase) => Promise<void>,
): Promise<void> {
  setMaxListeners(0, options.signal);
  await atOnce(todo, options, async ({ item, key }) => {
    const evalCase = await system.judge(item.alert).catch((thrown: unknown) => {
      if (options.signal.aborted) return null;
      throw thrown;
    });
    if (evalCase === null) return;
    const totalMs = evalCaseTotalMs(evalCase);
    await onJudged(
      { ...item.labelledResult(key, evalCase, totalMs), run: toJudgedRun(evalCase, totalMs) },
      item,
      evalCase,
    );
  });
}

/** Returns the time from acceptance to verdict by the record; without a verdict, the time until now. */
function evalCaseTotalMs({ createdAt, runs }: EvalCase): number {
  const decidedAt = runs[0]?.verdict?.decidedAt;
  const end = decidedAt === undefined ? Date.now() : Date.parse(decidedAt);
  return Math.max(0, end - Date.parse(createdAt));
}

async function atOnce<T>(
  all: T[],
  { atOnce: count, signal }: EvaluateOptions,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift())
      await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(count, all.length) }, worker));
}
