import { setMaxListeners } from 'node:events';
import type { CaseDocument, FeedbackBook, JsonObject, RunSettings } from '@casefile/contracts';
import {
  connect,
  datasetPipeline,
  describeInstallation,
  freezeSettings,
  readConfig,
  type Adapters,
  type Config,
} from '@casefile/runtime';
import { playbookNamed, strategyOf } from '@casefile/pipeline';
import { oneLine } from '../output/escape.js';
import { progressOf } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { quietly } from '../quietly.js';
import type { Dataset, Judged } from './dataset.js';
import { addResult, keyOf, readResults } from './results-file.js';

export interface EvaluateOptions {
  playbook: string;
  /** The name of the set: its cases are on the record under it. */
  dataset: string;
  /** null: the playbook's own. */
  strategy: string | null;
  /** Cases under way at once. */
  atOnce: number;
  /** Where results are kept, to go on from. */
  resultsFile: string;
  signal: AbortSignal;
}

/**
 * Judges a labelled set, each item in a case of its own that stays on the record; those whose result is in the file already
 * are not judged again. Broken off by the signal it returns what there is.
 */
export async function evaluate<J extends Judged>(
  dataset: Dataset<J>,
  options: EvaluateOptions,
  terminal: Terminal,
  config: Config = quietly(readConfig()),
): Promise<J[]> {
  const playbook = playbookNamed(options.playbook, config.playbooks);
  const frozen = freezeSettings(playbook, describeInstallation(config));
  const strategy = options.strategy ?? frozen.strategy;
  strategyOf(playbook, strategy);
  const change = (settings: RunSettings): RunSettings => ({ ...settings, strategy });
  const { adapters, close } = await connect(config, []);
  const progress = progressOf(terminal, 'judging', dataset.items.length);
  try {
    const settings = change(frozen);
    const basis = { settings, ...(await dataset.prepare(adapters, terminal)) };
    const known = dataset.keepsResults
      ? await readResults(options.resultsFile, dataset.schema)
      : new Map<string, J>();
    const keyed = dataset.items.map((item) => ({ item, key: keyOf(item.label, basis) }));
    const todo = keyed.filter(({ key }) => !known.has(key));
    let done = keyed.length - todo.length;
    // A prompt or rule that was changed in place has the same settings: whoever works on one wants another file.
    if (done > 0)
      terminal.err(
        oneLine(
          `casefile: ${done} of ${keyed.length} are judged already in ${options.resultsFile}; --results with another file judges them again`,
        ),
      );
    progress.to(done);
    const { store, ids } = adapters;
    await judgeAll(adapters, change, todo, options, async (judged, { outcome }, found) => {
      known.set(judged.key, judged);
      // What nobody may read is kept nowhere.
      if (dataset.keepsResults) {
        await addResult(options.resultsFile, judged);
        await keepLabel(store.feedback, { id: ids.id(), dataset: options.dataset, outcome }, found);
      }
      progress.to((done += 1));
    });
    return keyed.flatMap(({ key }) => known.get(key) ?? []);
  } finally {
    progress.end();
    await close();
  }
}

// Batches over the set, and whoever asks what was said of the case, find it there.
async function keepLabel(
  feedback: Pick<FeedbackBook, 'give'>,
  { id, dataset, outcome }: { id: string; dataset: string; outcome: JsonObject },
  { id: caseId, runs }: CaseDocument,
): Promise<void> {
  const [run] = runs;
  if (run === undefined || run.verdict === null) return;
  const { verdict } = run;
  const agrees = Object.entries(outcome).every(([name, value]) => verdict.outcome[name] === value);
  const said = { by: `data set ${dataset}`, note: null, at: new Date().toISOString() };
  await feedback.give({ id, caseId, runId: run.id, agrees, outcome, ...said });
}

interface Keyed<J extends Judged> {
  item: Dataset<J>['items'][number];
  key: string;
}

async function judgeAll<J extends Judged>(
  adapters: Adapters,
  change: (settings: RunSettings) => RunSettings,
  todo: Keyed<J>[],
  options: EvaluateOptions,
  onJudged: (judged: J, item: Keyed<J>['item'], found: CaseDocument) => Promise<void>,
): Promise<void> {
  setMaxListeners(0, options.signal);
  const pipeline = datasetPipeline(adapters, { dataset: options.dataset, change });
  try {
    await atOnce(todo, options, async ({ item, key }) => {
      const startedAt = performance.now();
      const found = await pipeline.judge(item.alert);
      await onJudged(item.judged(key, found, performance.now() - startedAt), item, found);
    });
  } finally {
    await pipeline.close();
  }
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
