import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidInput, parseInput, z, type Json } from '@casefile/contracts';
import { readJsonFile } from '../../read-input-file.js';
import { isUnseen, type DatasetKind, type DatasetOptions } from '../../eval/dataset.js';
import { evaluationOf, totalsOf, type SameCategories, evaluationLines } from './evaluation.js';
import { judgedOf, judgedSchema, type JudgedMessage } from './measures.js';
import { measureLookUps } from './look-ups.js';
import { FORMATS, readDataset, type Format } from './read-dataset.js';

const PLAYBOOK = 'message-screening';
const sameSchema: z.ZodType<SameCategories> = z.record(z.string(), z.array(z.string()));

/** Labelled messages, for message screening. */
export const labelledMessages: DatasetKind<JudgedMessage> = {
  playbook: PLAYBOOK,
  items: 'messages',
  bundled: null,
  options: ['format', 'categories', 'lookUps', 'patterns'],
  async lookUps(path, options, signal, terminal) {
    const messages = await readDataset(path, formatNamed(options.format), options.limit ?? null);
    const same = await readCategories(path, options);
    return measureLookUps(messages, { patternsFile: options.patterns ?? null, same, signal }, terminal);
  },
  async read(path, options) {
    refuseLimit(path, options);
    const messages = await readDataset(path, formatNamed(options.format), options.limit ?? null);
    const same = await readCategories(path, options);
    return {
      items: messages.map((message) => ({
        alert: { playbook: PLAYBOOK, text: message.text },
        label: message as unknown as Json,
        outcome: { scamDetected: message.isScam },
        judged: (key, found, totalMs) => judgedOf(message, key, found, totalMs),
      })),
      schema: judgedSchema,
      keepsResults: !isUnseen(path),
      async prepare(knowledge, terminal) {
        const { revision, patterns } = await knowledge.patternState();
        if (patterns === 0) terminal.err(NO_PATTERNS);
        return { revision, embeddings: knowledge.embeddingModel };
      },
      measure(judged) {
        const found = isUnseen(path) ? totalsOf(evaluationOf(judged, same)) : evaluationOf(judged, same);
        return { found, lines: evaluationLines(found) };
      },
    };
  },
};

const NO_PATTERNS =
  'casefile: there are no scam patterns to compare messages with; import some first: casefile import scam-patterns samples/scam-patterns.json';

/** A part of a set that nobody may read could be a single message. @throws InvalidInput */
export function refuseLimit(path: string, { limit }: DatasetOptions): void {
  if (limit !== undefined && isUnseen(path))
    throw new InvalidInput(
      [{ path: '--limit', message: 'is refused: of an unseen set only the totals of all of it are given' }],
      'command line',
    );
}

/** @throws InvalidInput */
export function formatNamed(name: string | undefined): Format | null {
  const format = FORMATS.find((one) => one === name);
  if (name === undefined || format !== undefined) return format ?? null;
  throw new InvalidInput(
    [{ path: '--format', message: `expected one of ${FORMATS.join(', ')}` }],
    'command line',
  );
}

// Beside a dataset that brings its own.
async function readCategories(path: string, { categories }: DatasetOptions): Promise<SameCategories> {
  if (categories !== undefined) return parseInput(sameSchema, await readJsonFile(categories), 'categories');
  const own = join(dirname(path), 'categories.json');
  return existsSync(own) ? parseInput(sameSchema, await readJsonFile(own), 'categories') : {};
}
