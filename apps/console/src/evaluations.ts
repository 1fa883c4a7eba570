import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CasefileError, parseInput, z, type Logger, type ShownEvaluation } from '@casefile/contracts';
import { qualityShare } from './quality-share.js';

/** The published results of the repository. The relative path is the same from src and from dist. */
export const RESULTS = fileURLToPath(new URL('../../../docs/results/', import.meta.url));

/** Most files that are read: the last ones by name, which begins with the day. */
const MOST_FILES = 500;
/** A result has some 8 KB. */
const MOST_BYTES = 1_000_000;

const count = z.int().min(0);
const figure = z.number().min(0).nullable();
const share = z
  .object({ part: count, of: count })
  .refine(({ part, of }) => part <= of, { path: ['part'], error: 'expected at most `of`' })
  .transform(({ part, of }) => qualityShare(part, of));
const name = z.string().max(200);

/** The shown part of a file of `casefile eval --out`, which has more fields. */
const resultFileSchema = z.object({
  format: z.literal(1),
  date: z.iso.date(),
  kind: name,
  set: z.object({ name, unseen: z.boolean() }),
  judgedBy: z.object({ strategy: name, models: z.array(name) }),
  items: z.object({ all: count, withoutVerdict: count, degraded: count }),
  dispositions: z.object({ act: count, review: count, dismiss: count }),
  answers: z.object({
    labels: count,
    right: share,
    abstained: share,
    classes: z.record(name, z.object({ precision: share, recall: share })),
  }),
  cost: z.object({ perItem: figure, unpriced: count, tokens: count }),
  time: z.object({ totalP50: figure, totalP95: figure }),
});

/**
 * Returns the results of labelled sets in a folder, by kind and set, newest first. A file that is no result
 * is left out with a warning. Without the folder there are none.
 */
export async function readEvaluations(folder: string, log: Pick<Logger, 'warn'>): Promise<ShownEvaluation[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const files = names.filter((file) => file.endsWith('.json')).sort();
  const read = files.slice(-MOST_FILES).map(async (file) => {
    try {
      return [shownEvaluation(file, await readResult(folder, file))];
    } catch (error) {
      log.warn({ file, error }, 'a result of a labelled set cannot be read, it is left out');
      return [];
    }
  });
  return (await Promise.all(read))
    .flat()
    .sort(
      (a, b) =>
        compare(a.playbook, b.playbook) ||
        compare(a.set, b.set) ||
        compare(b.date, a.date) ||
        compare(a.file, b.file),
    );
}

type ResultFile = z.infer<typeof resultFileSchema>;

async function readResult(folder: string, file: string): Promise<ResultFile> {
  const path = join(folder, file);
  if ((await stat(path)).size > MOST_BYTES)
    throw new CasefileError('unreadable_file', `${file} has more than ${MOST_BYTES} bytes`);
  return parseInput(resultFileSchema, JSON.parse(await readFile(path, 'utf8')), file);
}

function shownEvaluation(file: string, result: ResultFile): ShownEvaluation {
  const { kind, set, judgedBy, date, items, dispositions, answers, cost, time } = result;
  const { act, review, dismiss } = dispositions;
  const verdicts = act + review + dismiss;
  return {
    playbook: kind,
    set: set.name,
    unseen: set.unseen,
    by: judgedBy.models.join(', ') || 'rules',
    strategy: judgedBy.strategy,
    date,
    file,
    verdicts,
    labels: answers.labels,
    accuracy: answers.right,
    leftOpen: answers.abstained,
    classes: Object.entries(answers.classes).map(([label, { precision, recall }]) => ({
      name: label,
      precision,
      recall,
    })),
    reviewShare: qualityShare(review, verdicts),
    degradedShare: qualityShare(Math.min(items.degraded, verdicts), verdicts),
    costUsdPerVerdict: cost.perItem,
    unpricedCalls: cost.unpriced,
    tokensPerVerdict: verdicts === 0 ? null : cost.tokens / verdicts,
    p50Ms: time.totalP50,
    p95Ms: time.totalP95,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
