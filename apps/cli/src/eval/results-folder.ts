import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseInput } from '@casefile/contracts';
import { isUnseen, type Dataset, type ItemResult, type Line } from '@casefile/kit/evaluation/dataset';
import { evalResultSchema, summariseResults, type EvalAbout, type EvalResult } from './result.js';
import { dollarsEach, ms, intervalRate, table } from '@casefile/kit/evaluation/tables';

const INDEX = 'index.md';
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Folders whose content affects verdicts. */
const JUDGING = ['apps', 'libs', 'config', 'samples'];

/**
 * Returns the result of a set that this program has just judged. @param about `path` is the file of the set.
 */
export async function resultOfRun<J extends ItemResult>(
  lines: readonly Line<J>[],
  dataset: Pick<Dataset<J>, 'scoredAnswers' | 'rates'>,
  about: Pick<EvalAbout, 'kind' | 'command' | 'settings'> & { set: string; path: string },
): Promise<EvalResult> {
  const { set: name, path, kind, command, settings } = about;
  // A set may be a folder of files, which has no digest.
  const text = await readFile(path, 'utf8').catch(() => '');
  return summariseResults(lines, dataset, {
    date: new Date().toISOString().slice(0, 10),
    ...(await currentCommit()),
    kind,
    command,
    settings,
    set: { name, text, unseen: isUnseen(path) },
  });
}

/** Writes a result to its own file and rewrites the index of the folder. Returns the path of the file. */
export async function keepResult(folder: string, result: EvalResult): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, evalResultFile(result));
  await writeFile(path, `${JSON.stringify(result, null, 1)}\n`);
  await writeFile(join(folder, INDEX), resultsIndex(await resultsIn(folder)));
  return path;
}

/** Returns the file name: one result per day, kind, set, strategy and models. */
function evalResultFile({ date, kind, set, judgedBy: { strategy, models } }: EvalResult): string {
  const plain = (text: string) => text.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return `${[date, kind, set.name, strategy, ...models].map(plain).join('_')}.json`;
}

/**
 * Returns the results of a folder with their file names, newest first. @throws InvalidInput if a file is not
 * a result.
 */
export async function resultsIn(folder: string): Promise<{ file: string; result: EvalResult }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const read = names.map(async (file) => {
    const text = await readFile(join(folder, file), 'utf8');
    return { file, result: parseInput(evalResultSchema, JSON.parse(text), file) };
  });
  return (await Promise.all(read)).sort(
    (a, b) =>
      compare(a.result.kind, b.result.kind) ||
      compare(a.result.set.name, b.result.set.name) ||
      compare(b.file, a.file),
  );
}

/** Returns a Markdown page that lists results. Equal files give an equal page. */
export function resultsIndex(results: readonly { file: string; result: EvalResult }[]): string {
  return [
    '# Results by kind and set',
    '',
    '<!-- Made by `casefile eval --out`: do not edit. -->',
    '',
    'Shares stand with their count and the 95 % Wilson interval. [README.md](README.md) explains the sets and columns.',
    ...results.flatMap(({ file, result }) => resultSection(file, result)),
    '',
  ].join('\n');
}

function resultSection(file: string, result: EvalResult): string[] {
  const { kind, set, date, commit, modified, judgedBy, items, answers, dispositions, cost, time } = result;
  const by = judgedBy.models.length > 0 ? judgedBy.models.join(', ') : 'rules, no model';
  const rows = [['all', answers] as const, ...Object.entries(result.byLanguage)];
  const classes = rows.flatMap(([language, { classes: own }]) =>
    Object.entries(own).map(([name, { precision, recall }]) =>
      row(language, name, intervalRate(precision), intervalRate(recall)),
    ),
  );
  return [
    '',
    `## ${kind}: ${set.name}, ${date}, ${by}`,
    '',
    `[${file}](${file}), strategy ${judgedBy.strategy}, commit ${commit?.slice(0, 12) ?? 'not known'}${modified ? ' with changes' : ''}` +
      `, prompts: ${judgedBy.prompts.join(', ') || 'none'}.`,
    '',
    '```sh',
    result.command,
    '```',
    '',
    `${items.all} items, ${items.withoutVerdict} without a verdict, ${items.degraded} degraded; ${dispositions.act} act, ${dispositions.review} review, ${dispositions.dismiss} dismiss. ` +
      `${cost.calls} calls, ${cost.tokens} tokens, ${dollarsEach(cost.perItem)} per item; from alert to verdict p50 ${ms(time.totalP50)}, p95 ${ms(time.totalP95)}.`,
    '',
    row('language', 'labels', 'right', 'right of answered', 'not answered'),
    '| --- | --- | --- | --- | --- |',
    ...rows.map(([language, { labels, right, rightOfAnswered, abstained }]) =>
      row(
        language,
        String(labels),
        intervalRate(right),
        intervalRate(rightOfAnswered),
        intervalRate(abstained),
      ),
    ),
    '',
    row('language', 'class', 'precision', 'recall'),
    '| --- | --- | --- | --- |',
    ...classes,
    ...further(result),
  ];
}

function further({ rates, calibration }: EvalResult): string[] {
  const lines = [
    ...Object.entries(rates).map(([name, interval]) => `- ${name}: ${intervalRate(interval)}`),
    ...Object.entries(calibration).map(
      ([source, own]) => `- confidence stated by ${source}, ${calibrationWords(own)}`,
    ),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Returns the figures that every kind has as lines for people. */
export function resultLines({ answers, byLanguage, rates, calibration, items }: EvalResult): string[] {
  const rows = [['all', answers] as const, ...Object.entries(byLanguage)];
  return [
    ...table(
      'Share of answers that match the label, with 95 % intervals',
      ['language', 'labels', 'right', 'right of answered', 'not answered'],
      rows.map(([language, { labels, right, rightOfAnswered, abstained }]) => [
        language,
        labels,
        intervalRate(right),
        intervalRate(rightOfAnswered),
        intervalRate(abstained),
      ]),
    ),
    ...table(
      'Classes',
      ['language', 'class', 'labels', 'precision', 'recall'],
      rows.flatMap(([language, { classes }]) =>
        Object.entries(classes).map(([name, { labels, precision, recall }]) => [
          language,
          name,
          labels,
          intervalRate(precision),
          intervalRate(recall),
        ]),
      ),
    ),
    ...table(
      `Further shares of ${items.all} items`,
      ['', ''],
      Object.entries(rates).map(([name, interval]) => [name, intervalRate(interval)]),
    ),
    ...Object.entries(calibration).map(
      ([source, own]) => `Confidence stated by ${source}, ${calibrationWords(own)}`,
    ),
  ];
}

/**
 * Returns how well a stated confidence agrees with the labels, and the confidence from which verdicts may be
 * acted on.
 */
function calibrationWords({
  labels,
  ece,
  eceFrom,
  eceTo,
  brier,
  actFrom,
}: EvalResult['calibration'][string]): string {
  const interval =
    eceFrom === null || eceTo === null ? '' : ` (${eceFrom.toFixed(3)} to ${eceTo.toFixed(3)})`;
  const error =
    ece === null
      ? 'too few labels for a calibration error'
      : `calibration error ${ece.toFixed(3)}${interval}`;
  const act =
    actFrom === null
      ? 'no confidence from which at most 5 % are wrong'
      : `at most 5 % are wrong from confidence ${actFrom.toFixed(2)} on`;
  return `${labels} answers: ${error}, Brier score ${brier?.toFixed(3) ?? '-'}; ${act}`;
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the commit of the program's checkout, and whether the judging folders differ from the commit. */
async function currentCommit(): Promise<Pick<EvalResult, 'commit' | 'modified'>> {
  const git = (...args: string[]) => promisify(execFile)('git', ['-C', ROOT, ...args]);
  try {
    const { stdout: commit } = await git('rev-parse', 'HEAD');
    const { stdout: changes } = await git('status', '--porcelain', '--', ...JUDGING);
    return { commit: commit.trim(), modified: changes.trim() !== '' };
  } catch {
    return { commit: null, modified: false };
  }
}
