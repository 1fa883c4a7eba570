import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseInput, z, type Json } from '@casefile/contracts';
import { readJsonFile } from '@casefile/kit/files/read-input-file';
import {
  isUnseen,
  refuseLimit,
  type DatasetKind,
  type DatasetOptions,
} from '@casefile/kit/evaluation/dataset';
import type { ScoredAnswer } from '@casefile/kit/evaluation/scored-answers';
import { wilson95 } from '@casefile/kit/evaluation/figures';
import { judgedEvaluation, evaluationTotals, type SameCategories, evaluationLines } from './evaluation.js';
import { toJudgedMessage, judgedMessageSchema, type JudgedMessage } from './measures.js';
import { measureLookUps, PATTERN_TOOL } from './look-ups.js';
import { readDataset } from '@casefile/kit/messages/read-dataset';
import {
  FORMAT_OPTION,
  formatNamed,
  HARMLESS,
  MESSAGE_FORMAT,
  MESSAGE_SETS,
  SCAM,
} from '@casefile/kit/messages/message-sets';

const PLAYBOOK = 'message-screening';
const sameSchema: z.ZodType<SameCategories> = z.record(z.string(), z.array(z.string()));

/** Labelled messages, for message screening. */
export const labelledMessages: DatasetKind<JudgedMessage> = {
  playbook: PLAYBOOK,
  items: 'messages',
  sets: MESSAGE_SETS,
  format: MESSAGE_FORMAT,
  options: [
    FORMAT_OPTION,
    {
      name: 'categories',
      flags: '--categories <file>',
      description: 'JSON: for a message’s category, its names in the knowledge base',
    },
    {
      name: 'lookUps',
      flags: '--look-ups',
      description: 'messages: measure how well known patterns are found, without a verdict; totals only',
    },
    {
      name: 'patterns',
      flags: '--patterns <file>',
      description: 'with --look-ups: search this file instead of the knowledge base',
    },
  ],
  toolMeasure: {
    option: 'lookUps',
    tool: PATTERN_TOOL,
    fileOption: 'patterns',
    async measure(path, options, ports) {
      const messages = await readDataset(path, formatNamed(options['format']), options.limit ?? null);
      return measureLookUps(messages, await readCategories(path, options), ports);
    },
  },
  async read(path, options) {
    refuseLimit(path, options);
    const messages = await readDataset(path, formatNamed(options['format']), options.limit ?? null);
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
      async prepare(knowledge, output) {
        const { revision, patterns } = await knowledge.patternState();
        if (patterns === 0) output.err(NO_PATTERNS);
        return { revision, embeddings: knowledge.embeddingModel };
      },
      measure(results) {
        const values = isUnseen(path)
          ? evaluationTotals(judgedEvaluation(results, same))
          : judgedEvaluation(results, same);
        return { values, lines: evaluationLines(values) };
      },
      scoredAnswers: (result) => [scoredResult(result)],
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

function scoredResult(result: JudgedMessage): ScoredAnswer {
  const { isScam, language, action, said: claim, degraded } = result;
  const answer = action === null ? null : isActedOn(result) ? SCAM : HARMLESS;
  const stated = claim === null || degraded ? null : claim.isScam ? claim.confidence : 1 - claim.confidence;
  const confidence = stated === null ? null : answer === SCAM ? stated : 1 - stated;
  return { expected: isScam ? SCAM : HARMLESS, answer, language, confidence };
}

const NO_PATTERNS =
  'casefile: there are no scam patterns to compare messages with; import some first: casefile import scam-patterns samples/scam-patterns.json';

// Categories from the option, or from the file next to a data set that has one.
async function readCategories(path: string, { categories }: DatasetOptions): Promise<SameCategories> {
  if (typeof categories === 'string')
    return parseInput(sameSchema, await readJsonFile(categories), 'categories');
  const own = join(dirname(path), 'categories.json');
  return existsSync(own) ? parseInput(sameSchema, await readJsonFile(own), 'categories') : {};
}
