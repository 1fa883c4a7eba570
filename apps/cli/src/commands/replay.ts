import { hasEnded, sleep, type OpenRunAsk, type RunDiff, type ShownRun } from '@casefile/contracts';
import type { Command } from 'commander';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { manyLines } from '@casefile/kit/output/escape';
import { diffLines } from '../output/diff-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { changeFromOptions, settingOptions, type SettingOptions } from './setting-options.js';

interface ReplayOptions extends SettingOptions, ConsoleOptions {
  fresh?: boolean;
  ask?: boolean;
}

const LOOK_EVERY_MS = 200;

/** `casefile replay CASE` */
export function addReplay(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('replay')
    .description('judge a case again only from its stored answers, and print the differences of the two runs')
    .argument('<case or run>', 'id of a case or a run, or a unique prefix or suffix of it')
    .option('--ask', 'ask the model the questions that have no stored answer, in the lane batch')
    .option('--fresh', 'call tools again, too');
  consoleOptions(settingOptions(command), 'print the differences as the API returns them').action(
    async (part: string, options: ReplayOptions) => {
      const client = await connectConsole(options);
      const baseRun = await client.findRun(part);
      const caseId = baseRun?.caseId ?? (await client.wholeId(part));
      const body = { ...replayRequest(options), ...(baseRun === null ? {} : { run: baseRun.id }) };
      const { runId, baseRunId } = await client.post('/cases/{caseId}/runs', { params: { caseId }, body });
      const run = await endedClient(client, runId);
      const diff = await client.get('/runs/{a}/diff/{b}', { params: { a: baseRunId, b: runId } });
      print(terminal, options, diff, () => [...endLines(run), ...diffLines(diff)]);
      end(wentAsIntended(run, diff, options) ? EXIT.ok : EXIT.failed);
    },
  );
}

function replayRequest({ fresh = false, ask = false, ...options }: ReplayOptions): OpenRunAsk {
  const settings = changeFromOptions(options);
  return {
    lane: ask || fresh ? 'batch' : 'replay',
    ...(fresh ? { evidence: 'fresh' as const } : {}),
    ...(settings === undefined ? {} : { settings }),
  };
}

async function endedClient(client: ConsoleClient, runId: string): Promise<ShownRun> {
  for (;;) {
    const run = await client.get('/runs/{runId}', { params: { runId } });
    if (hasEnded(run)) return run;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Returns the lines that explain why a run has no verdict; empty if the run has a verdict. */
export function endLines({
  id,
  status,
  message,
  reasonCode,
}: Pick<ShownRun, 'id' | 'status' | 'message' | 'reasonCode'>): string[] {
  if (status === 'decided') return [];
  if (status === 'stopped' && reasonCode === 'evidence_miss')
    return [`evidence miss in run ${id}: ${manyLines(message ?? '')}`];
  const why = `${reasonCode ?? 'no reason'}: ${manyLines(message ?? '')}`;
  const next = status === 'stopped' ? '' : ' (redrive it in the console under "Dead letters")';
  return [`run ${id} is ${status}, ${why}${next}`];
}

// A plain replay succeeds only if its result is the same. With changed settings, every verdict is a success.
function wentAsIntended({ status }: ShownRun, { same }: RunDiff, options: ReplayOptions): boolean {
  const isPlain = replayRequest(options).lane === 'replay' && changeFromOptions(options) === undefined;
  return status === 'decided' && (same || !isPlain);
}
