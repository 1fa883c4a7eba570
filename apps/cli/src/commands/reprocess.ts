import { readFile } from 'node:fs/promises';
import { sleep, type Batch, type BatchAsk, type BatchFilter } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { finishAtEnd } from '@casefile/runtime/process-end';
import { EXIT } from '../exit-code.js';
import { batchLine, memberLines } from '../output/batch-lines.js';
import { terminalProgress } from '../output/progress.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { changeFromOptions, settingOptions, type SettingOptions } from './setting-options.js';
import { above0, timeAgo, wholeFrom, wrongOption } from './option-values.js';

/** Time for reading the batch once more after the command is interrupted, in milliseconds. */
const FINISH_WITHIN_MS = 5_000;

interface ReprocessOptions extends SettingOptions, ConsoleOptions {
  degradedSince?: string;
  filter?: string[];
  ids?: string;
  dataset?: string;
  replay?: boolean;
  fresh?: boolean;
  dryRun?: boolean;
  rate?: number;
  budget?: number;
  twice?: number;
  sample?: number;
  apply?: boolean;
}

const LOOK_EVERY_MS = 500;
/** Maximum number of flipped cases in the output. */
const SHOWN = 100;
const ENDED = ['done', 'paused', 'applied', 'discarded'];

/** `casefile reprocess --degraded-since 2h` */
export function addReprocess(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('reprocess')
    .description(
      'judge cases again as a batch and compare the verdicts; none is delivered before the batch is applied',
    )
    .option(
      '--degraded-since <time>',
      'verdicts that are degraded, since a time or an age (90m, 2h, 1d); tools are called again',
      timeOrAge,
    )
    .option('--filter <fact=value...>', 'cases by playbook, disposition, action, method, degraded, from, to')
    .option('--ids <file>', 'file with one case id per line')
    .option('--dataset <name>', 'cases of this data set, which casefile eval judged')
    .option('--replay', 'read only the record: no model is called')
    .option('--fresh', 'call tools again, too')
    .option('--dry-run', 'only count the cases and estimate the cost')
    .option('--rate <number>', 'maximum cases per second', above0)
    .option('--budget <usd>', 'limit for model calls in US dollars; the batch is paused at the limit', above0)
    .option(
      '--twice <number>',
      'number of cases to run twice, to measure how much verdicts vary without a change',
      wholeFrom(1),
    )
    .option(
      '--sample <number>',
      'number of cases to judge, spread evenly over those that match',
      wholeFrom(1),
    )
    .option('--apply', 'apply the verdicts when the batch is done');
  consoleOptions(settingOptions(command), 'print the batch as the API returns it').action(
    async (options: ReprocessOptions) => {
      const client = await connectConsole(options);
      const created = await client.post('/batches', { body: await batchRequest(options) });
      const { batchId, count, matching, estimateUsd } = created;
      const cases = `${count} ${count === 1 ? 'case' : 'cases'}${matching > count ? ` of ${matching}` : ''}`;
      const about = `${cases}, ${estimateUsdCost(estimateUsd, options)}`;
      if (batchId === null) {
        print(terminal, options, created, () => [about]);
        return end(EXIT.ok);
      }
      terminal.err(`casefile: batch ${batchId}: ${about}`);
      await finishAtEnd(FINISH_WITHIN_MS, async (signal) => {
        let batch = await followedClient(client, batchId, ENDED, terminal, signal);
        if (options.apply && batch.state === 'done') {
          await client.post('/batches/{batchId}/{act}', { params: { batchId, act: 'apply' }, body: {} });
          batch = await followedClient(client, batchId, ['applied'], terminal, signal);
        }
        if (signal.aborted)
          terminal.err(
            `casefile: the batch continues without this command. To show it: casefile batches show ${batchId}; to pause it: casefile batches pause ${batchId}`,
          );
        const query = { limit: SHOWN };
        const members = await client.get('/batches/{batchId}/members', { params: { batchId }, query });
        print(terminal, options, batch, () => [batchLine(batch), ...memberLines(members)]);
        if (batch.state === 'done')
          terminal.err(
            `casefile: no verdict was delivered. To see what applying sends: casefile batches preview ${batchId}; to apply the verdicts: casefile batches apply ${batchId}; to discard them: casefile batches discard ${batchId}`,
          );
        if (batch.state === 'paused')
          terminal.err(
            `casefile: to continue: casefile batches resume ${batchId}, with --budget USD to raise it`,
          );
        end(['done', 'applied'].includes(batch.state) ? EXIT.ok : EXIT.failed);
      });
    },
  );
}

function estimateUsdCost(estimateUsd: number, { replay }: ReprocessOptions): string {
  if (replay) return 'no model is asked';
  if (estimateUsd === 0) return 'there are no earlier runs to estimate the cost from';
  return `about $${estimateUsd.toFixed(4)}`;
}

async function followedClient(
  client: ConsoleClient,
  batchId: string,
  until: readonly string[],
  terminal: CommandContext['terminal'],
  signal: AbortSignal,
): Promise<Batch> {
  const look = () => client.get('/batches/{batchId}', { params: { batchId } });
  let batch = await look();
  const progress = terminalProgress(terminal, 'judging', batch.total);
  try {
    while (!until.includes(batch.state) && !signal.aborted) {
      await sleep(LOOK_EVERY_MS, signal);
      batch = await look();
      progress.to(batch.done);
    }
    return batch;
  } finally {
    progress.end();
  }
}

async function batchRequest(options: ReprocessOptions): Promise<BatchAsk> {
  const { degradedSince, filter, ids, dataset, replay, fresh, dryRun, rate, budget, twice, sample } = options;
  const which = [degradedSince, filter, ids, dataset].filter((it) => it !== undefined).length;
  if (which !== 1) throw wrongOption('', 'expected one of --degraded-since, --filter, --ids and --dataset');
  const settings = changeFromOptions(options);
  return {
    ...(degradedSince === undefined ? {} : { degradedSince }),
    ...(filter === undefined ? {} : { filter: textFilter(filter) }),
    ...(ids === undefined ? {} : { caseIds: idsIn(await readFile(ids, 'utf8')) }),
    ...(dataset === undefined ? {} : { dataset }),
    lane: replay ? 'replay' : 'batch',
    // The missing part of a degraded verdict may have been a look-up, so evidence is collected again.
    ...(fresh || (degradedSince !== undefined && !replay) ? { evidence: 'fresh' as const } : {}),
    ...(settings === undefined ? {} : { settings }),
    ...(rate === undefined ? {} : { ratePerSecond: rate }),
    ...(budget === undefined ? {} : { budgetUsd: budget }),
    ...(twice === undefined ? {} : { twice }),
    ...(sample === undefined ? {} : { sample }),
    ...(dryRun ? { dryRun } : {}),
  };
}

function idsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const FACTS = ['playbook', 'disposition', 'action', 'method', 'from', 'to'] as const;

function textFilter(texts: string[]): BatchFilter {
  const pairs = texts.map(
    (text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const,
  );
  const unknown = pairs.find(([name]) => name !== 'degraded' && !FACTS.some((fact) => fact === name));
  if (unknown !== undefined)
    throw wrongOption('--filter', `expected ${FACTS.join(', ')} or degraded, each with =value`);
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, name === 'degraded' ? value !== 'false' : value]),
  );
}

/** Parses a time, or an age such as `2h`. @throws InvalidArgumentError. */
function timeOrAge(text: string): string {
  const time = timeAgo(text) ?? text;
  if (Number.isNaN(Date.parse(time)))
    throw new InvalidArgumentError('Expected a time or an age, for example 2h.');
  return new Date(time).toISOString();
}
