import { userInfo } from 'node:os';
import { InvalidInput, jsonObjectSchema, type JsonObject, type ShownDeadLetter } from '@casefile/contracts';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { readJsonFile } from '@casefile/kit/files/read-input-file';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { showReadings, watchedOptions, type WatchedOptions } from './watched.js';

interface LetterListOptions extends WatchedOptions {
  q?: string;
  reason?: string;
  kind?: ShownDeadLetter['kind'];
  source?: string;
  from?: string;
  to?: string;
}

interface RedriveOptions extends ConsoleOptions {
  alert?: string;
  by?: string;
}

/** `casefile dead-letters list` and `casefile dead-letters redrive ID --alert file.json`. */
export function addDeadLetters(program: Command, context: CommandContext): void {
  const { terminal, end } = context;
  const command = program
    .command('dead-letters')
    .description('list alerts that were not accepted and runs that stopped, or redrive one');
  const list = command
    .command('list')
    .description('list the newest dead letters')
    .option('--q <text>', 'words of the reason or the alert, or part of an id')
    .option('--reason <code>', 'reason code')
    .addOption(new Option('--kind <kind>', 'kind of dead letter').choices(['alert', 'run']))
    .option('--source <name>', "part of the sender's name")
    .option('--from <time>', 'date, or time with a time zone')
    .option('--to <time>', 'date, or time with a time zone');
  watchedOptions(list).action(async ({ console: url, json, watch, ...query }: LetterListOptions) => {
    const client = await connectConsole({ console: url });
    const isFiltered = Object.keys(query).length > 0;
    const outputOptions = {
      ...(json === undefined ? {} : { json }),
      ...(watch === undefined ? {} : { watch }),
    };
    await showReadings(context, outputOptions, async () => {
      const answer = await client.get('/dead-letters', { query });
      if (answer.nextCursor !== null)
        terminal.err(
          `casefile: these are the newest ${answer.deadLetters.length}. To see older ones, add a filter such as --to.`,
        );
      return { answer, lines: letterLines(answer.deadLetters, isFiltered), exitCode: EXIT.ok };
    });
  });
  const redrive = command
    .command('redrive')
    .description('redrive a dead letter')
    .argument('<id>', 'id of the dead letter')
    .option('--alert <file>', 'JSON file with the edited alert, which replaces the rejected one')
    .option('--by <name>', 'who edited the alert. Default: the user of this machine');
  consoleOptions(redrive).action(
    async (letterId: string, { alert, by = userInfo().username, ...options }: RedriveOptions) => {
      const body = alert === undefined ? {} : { alert: await alertIn(alert), by };
      const client = await connectConsole(options);
      const redriven = await client.post('/dead-letters/{letterId}/redrive', { params: { letterId }, body });
      print(terminal, options, redriven, () => [oneLine(`redriven: case ${redriven.caseId ?? '-'}`)]);
      end(EXIT.ok);
    },
  );
}

async function alertIn(file: string): Promise<JsonObject> {
  const read = jsonObjectSchema.safeParse(await readJsonFile(file));
  if (read.success) return read.data;
  const message = `expected ${file} to hold one JSON object`;
  throw new InvalidInput([{ path: '--alert', message }], 'command line');
}

function letterLines(letters: ShownDeadLetter[], isFiltered: boolean): string[] {
  if (letters.length === 0) return [isFiltered ? 'No dead letter matches.' : 'There is no dead letter.'];
  return letters.map(({ id, at, title, message, source }) =>
    oneLine([id, at, ...(source ? [`from ${source}`] : []), title, message].join(' ')),
  );
}
