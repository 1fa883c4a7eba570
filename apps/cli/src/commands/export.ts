import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@casefile/contracts';
import type { Command } from 'commander';
import { ConsoleClient, type ShownCase, type ShownRun } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { agentOf } from '../kinds/agents.js';
import { oneLine } from '../output/escape.js';
import { addressesOf, httpAddress } from './options.js';

interface Options {
  console?: string;
  json?: boolean;
}

/** `casefile export iterations CASE DIR` */
export function addExport(program: Command, { terminal, end }: CommandContext): void {
  const exporting = program.command('export').description('write parts of the record to files');
  exporting
    .command('iterations')
    .description('write the rounds of a case and a summary, to a folder of its own')
    .argument('<case>', 'id of the case, or its beginning or end where only one case has it')
    .argument('<folder>', 'in which the folder of the case is made')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what was written as one JSON object')
    .action(async (caseId: string, folder: string, options: Options) => {
      const client = new ConsoleClient(options.console ?? (await addressesOf()).console);
      const shown = await client.getCase(await client.wholeId(caseId));
      const run = shown.runs.find(({ id }) => id === shown.leadingRunId) ?? shown.runs.at(-1);
      const files = run === undefined ? [] : iterationFiles(run);
      const own = join(folder, folderName(shown));
      await mkdir(own, { recursive: true });
      for (const { name, body } of files)
        await writeFile(join(own, name), `${JSON.stringify(body, null, 2)}\n`);
      const names = files.map(({ name }) => name);
      if (options.json) terminal.out(JSON.stringify({ folder: own, files: names }));
      else for (const line of [own, ...names.map((name) => `  ${name}`)]) terminal.out(oneLine(line));
      end(files.length > 0 ? EXIT.ok : EXIT.failed);
    });
}

/** Of the words of a case, in code points: a name of a file has 255 bytes at most. */
const WORDS_KEPT = 40;

/** A name that is a name in every file system: letters, digits, `_` and `-`, with the id of the case. */
export function folderName({ caseId, alerts }: Pick<ShownCase, 'caseId' | 'alerts'>): string {
  const [alert] = alerts;
  const { query } = alert?.payload ?? {};
  const words = typeof query === 'string' ? query : (alert?.text ?? '');
  const safe = words
    .slice(0, WORDS_KEPT * 4)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_');
  const head = Array.from(safe).slice(0, WORDS_KEPT).join('').replace(/^_|_$/g, '');
  return `${head === '' ? 'case' : head}_${caseId}`;
}

/** A file for each round and each who asked in it, and a summary. S5-40. */
export function iterationFiles(run: ShownRun): { name: string; body: JsonObject }[] {
  const { interactions, view, verdict, status, settings } = run;
  const outcome = verdict?.outcome ?? {};
  const mode = outcome['mode'] ?? null;
  const places = [...new Set(interactions.map(({ stage, round }) => `${round} ${stage}`))];
  const files = places.map((place) => {
    const calls = interactions.filter(({ stage, round }) => `${round} ${stage}` === place);
    const call = calls.findLast(({ state }) => state === 'completed') ?? calls.at(-1)!;
    const agent = agentOf(view, call.stage);
    return {
      name: `iteration_${call.round}_${agent.replace(/[^\w-]/g, '_')}.json`,
      body: {
        iteration: call.round,
        agent,
        input_prompt: call.request as unknown as JsonObject,
        output_response: call.response,
        metadata: {
          time: call.createdAt,
          model: call.model,
          tokens: call.usage as unknown as JsonObject,
          ms: call.latencyMs,
          mode,
          calls: calls.length,
          state: call.state,
        },
      },
    };
  });
  const rounds = typeof outcome['rounds'] === 'number' ? outcome['rounds'] : run.round;
  const summary = {
    total_iterations: rounds,
    final_status: typeof outcome['ruling'] === 'string' ? outcome['ruling'] : status,
    mode,
    metadata: { run: run.id, provider: settings.provider, model: settings.model, decided: run.decidedAt },
  };
  return [...files, { name: 'session_summary.json', body: summary }];
}
