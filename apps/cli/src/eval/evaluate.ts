import { setMaxListeners } from 'node:events';
import type { Json, RunSettings } from '@casefile/contracts';
import {
  connect,
  freezeSettings,
  privatePipeline,
  readConfig,
  type Config,
  type PrivatePipeline,
} from '@casefile/runtime';
import { playbookNamed, strategyNamed } from '@casefile/pipeline';
import { progressOf } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { quietly } from '../quietly.js';
import { judgedOf, type Judged } from './judged.js';
import type { LabelledMessage } from './labelled-message.js';
import { addResult, keyOf, readResults } from './results-file.js';

export interface EvaluateOptions {
  playbook: string;
  /** null: the playbook's own. */
  strategy: string | null;
  /** Messages under way at once. */
  atOnce: number;
  /** Where results are kept, to go on from. */
  resultsFile: string;
  signal: AbortSignal;
}

/** Cases that one private record holds before the next one begins, so that memory stays bounded. */
const CASES_A_RECORD = 200;

/**
 * Judges labelled messages, each in a flow that leaves nothing on the record; those whose result is in the file already
 * are not judged again. Broken off by the signal it returns what there is.
 */
export async function evaluate(
  messages: LabelledMessage[],
  options: EvaluateOptions,
  terminal: Terminal,
  config: Config = quietly(readConfig()),
): Promise<Judged[]> {
  const strategy = strategyNamed(options.strategy ?? playbookNamed(options.playbook).strategy).name;
  const change = (settings: RunSettings): RunSettings => ({ ...settings, strategy });
  const { adapters, close } = await connect(config, []);
  const progress = progressOf(terminal, 'judging', messages.length);
  try {
    const { revision } = await adapters.store.patternState();
    const settings = change(freezeSettings(playbookNamed(options.playbook), config));
    const basis = { settings, revision, embeddings: adapters.embedder?.model ?? null } as unknown as Json;
    const known = await readResults(options.resultsFile);
    const keyed = messages.map((message) => ({ message, key: keyOf(message, basis) }));
    const todo = keyed.filter(({ key }) => !known.has(key));
    let done = messages.length - todo.length;
    progress.to(done);
    setMaxListeners(0, options.signal);
    for (let from = 0; from < todo.length && !options.signal.aborted; from += CASES_A_RECORD) {
      const pipeline = privatePipeline(adapters, change);
      const part = todo.slice(from, from + CASES_A_RECORD);
      try {
        await atOnce(part, options, async ({ message, key }) => {
          const judged = await judge(pipeline, options.playbook, message, key);
          known.set(key, judged);
          await addResult(options.resultsFile, judged);
          progress.to((done += 1));
        });
      } finally {
        await pipeline.close();
      }
    }
    return keyed.flatMap(({ key }) => known.get(key) ?? []);
  } finally {
    progress.end();
    await close();
  }
}

async function judge(
  pipeline: PrivatePipeline,
  playbook: string,
  message: LabelledMessage,
  key: string,
): Promise<Judged> {
  const startedAt = performance.now();
  const found = await pipeline.judge({ playbook, text: message.text });
  return judgedOf(message, key, found, performance.now() - startedAt);
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
