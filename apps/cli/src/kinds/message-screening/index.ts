import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidInput, parseInput, z, type Json } from '@casefile/contracts';
import { readJsonFile } from '../../read-input-file.js';
import {
  isUnseen,
  refuseLimit,
  type DatasetKind,
  type DatasetOptions,
  type NamedSet,
} from '../../eval/dataset.js';
import type { Mark } from '../../eval/marks.js';
import { wilson95 } from '../../eval/figures.js';
import { judgedEvaluation, evaluationTotals, type SameCategories, evaluationLines } from './evaluation.js';
import { toJudgedMessage, judgedMessageSchema, type JudgedMessage } from './measures.js';
import { measureLookUps } from './look-ups.js';
import { FORMATS, readDataset, type Format } from './read-dataset.js';

const PLAYBOOK = 'message-screening';
/** Class of the labels. The answers `engage` and `probe` are in this class. */
export const SCAM = 'scam';
export const HARMLESS = 'harmless';

const setNamed = (name: string, about: string): NamedSet => ({
  name,
  about,
  path: fileURLToPath(new URL(`../../../../../samples/eval/${name}.jsonl`, import.meta.url)),
});
/** Labelled messages of the repository, for every kind that judges messages. */
export const MESSAGE_SETS: readonly [NamedSet, ...NamedSet[]] = [
  setNamed('seen', 'messages that rules and weights were developed on'),
  setNamed('unseen', 'unseen messages: only totals are shown'),
  setNamed('messages', 'hard messages, written to differ from known patterns'),
  setNamed('development', 'messages that are hardest for rules'),
  setNamed('this-year', 'stories of 2025 and 2026'),
];

const sameSchema: z.ZodType<SameCategories> = z.record(z.string(), z.array(z.string()));

/** Labelled messages, for message screening. */
export const labelledMessages: DatasetKind<JudgedMessage> = {
  playbook: PLAYBOOK,
  items: 'messages',
  sets: MESSAGE_SETS,
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
        labelledResult: (key, evalCase, totalMs) => toJudgedMessage(message, key, evalCase, totalMs),
      })),
      schema: judgedMessageSchema,
      keepsResults: !isUnseen(path),
      async prepare(knowledge, terminal) {
        const { revision, patterns } = await knowledge.patternState();
        if (patterns === 0) terminal.err(NO_PATTERNS);
        return { revision, embeddings: knowledge.embeddingModel };
      },
      measure(results) {
        const values = isUnseen(path)
          ? evaluationTotals(judgedEvaluation(results, same))
          : judgedEvaluation(results, same);
        return { values, lines: evaluationLines(values) };
      },
      marksOf: (result) => [resultMark(result)],
      rates: (results) => ({
        'scams probed or engaged': share(results, (one) => one.isScam, isActedOn),
        'harmless messages probed or engaged': share(results, (one) => !one.isScam, isActedOn),
        'harmless messages engaged': share(
          results,
          (one) => !one.isScam,
          ({ action }) => action === 'engage',
        ),
      }),
    };
  },
};

const isActedOn = ({ action }: JudgedMessage): boolean => action === 'engage' || action === 'probe';

function share(
  results: readonly JudgedMessage[],
  among: (one: JudgedMessage) => boolean,
  counted: (one: JudgedMessage) => boolean,
) {
  const all = results.filter(among);
  return wilson95(all.filter(counted).length, all.length);
}

function resultMark(result: JudgedMessage): Mark {
  const { isScam, language, action, said: claim, degraded } = result;
  const answer = action === null ? null : isActedOn(result) ? SCAM : HARMLESS;
  const stated = claim === null || degraded ? null : claim.isScam ? claim.confidence : 1 - claim.confidence;
  const confidence = stated === null ? null : answer === SCAM ? stated : 1 - stated;
  return { expected: isScam ? SCAM : HARMLESS, answer, language, confidence };
}

const NO_PATTERNS =
  'casefile: there are no scam patterns to compare messages with; import some first: casefile import scam-patterns samples/scam-patterns.json';

/** @throws InvalidInput */
export function formatNamed(name: string | undefined): Format | null {
  const format = FORMATS.find((one) => one === name);
  if (name === undefined || format !== undefined) return format ?? null;
  throw new InvalidInput(
    [{ path: '--format', message: `expected one of ${FORMATS.join(', ')}` }],
    'command line',
  );
}

// Categories from the option, or from the file next to a data set that has one.
async function readCategories(path: string, { categories }: DatasetOptions): Promise<SameCategories> {
  if (categories !== undefined) return parseInput(sameSchema, await readJsonFile(categories), 'categories');
  const own = join(dirname(path), 'categories.json');
  return existsSync(own) ? parseInput(sameSchema, await readJsonFile(own), 'categories') : {};
}
