import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import {
  deadLetterListSchema,
  InvalidInput,
  jsonObjectSchema,
  redrivenDeadLetterSchema,
  type JsonObject,
  type ShownDeadLetter,
} from '@casefile/contracts';
import { Option, type Command } from 'commander';
import { requestJson } from '../client/request-json.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { addressesOf, httpAddress } from './options.js';

interface Common {
  console?: string;
  json?: boolean;
}

interface ListOptions extends Common {
  q?: string;
  reason?: string;
  kind?: string;
  source?: string;
  from?: string;
  to?: string;
}

interface RedriveOptions extends Common {
  alert?: string;
  by?: string;
}

/** `casefile dead-letters list` and `casefile dead-letters redrive ID --alert file.json`. */
export function addDeadLetters(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('dead-letters')
    .description('list alerts that were not accepted and runs that stopped, or send one on its way again');
  command
    .command('list')
    .description('list dead letters, the newest first')
    .option('--q <text>', 'words of the reason or the alert, or a part of an id')
    .option('--reason <code>', 'reason code')
    .addOption(new Option('--kind <kind>', 'what could not go on').choices(['alert', 'run']))
    .option('--source <name>', "a part of the sender's name")
    .option('--from <time>', 'date, or time with its zone')
    .option('--to <time>', 'date, or time with its zone')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what the console answers')
    .action(async ({ console: address, json, ...filter }: ListOptions) => {
      const search = new URLSearchParams(filter as Record<string, string>);
      const url = await urlOf(`/dead-letters?${search.toString()}`, address);
      const answer = deadLetterListSchema.parse(await requestJson(url));
      const lines = json ? [JSON.stringify(answer)] : linesOf(answer.deadLetters);
      for (const line of lines) terminal.out(line);
      end(EXIT.ok);
    });
  command
    .command('redrive')
    .description('send a dead letter on its way again')
    .argument('<id>', 'id of the dead letter')
    .option('--alert <file>', 'JSON file with the alert in place of the one that was not accepted')
    .option('--by <name>', 'who edited the alert. Default: the user of this machine')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what the console answers')
    .action(
      async (id: string, { console: address, json, alert, by = userInfo().username }: RedriveOptions) => {
        const body = alert === undefined ? {} : { alert: await alertIn(alert), by };
        const url = await urlOf(`/dead-letters/${encodeURIComponent(id)}/redrive`, address);
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        const answer = redrivenDeadLetterSchema.parse(await requestJson(url, init));
        terminal.out(json ? JSON.stringify(answer) : oneLine(`redriven: case ${answer.caseId ?? '-'}`));
        end(EXIT.ok);
      },
    );
}

async function urlOf(path: string, address: string | undefined): Promise<URL> {
  return new URL(`/api/v1${path}`, address ?? (await addressesOf()).console);
}

async function alertIn(file: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw wrong(`${file} cannot be read: ${cause.message}`);
  });
  try {
    return jsonObjectSchema.parse(JSON.parse(text));
  } catch {
    throw wrong(`expected ${file} to hold one JSON object`);
  }
}

function wrong(message: string): InvalidInput {
  return new InvalidInput([{ path: '--alert', message }], 'command line');
}

function linesOf(letters: ShownDeadLetter[]): string[] {
  if (letters.length === 0) return ['There is no dead letter.'];
  return letters.map(({ id, at, title, message, source }) =>
    oneLine([id, at, ...(source ? [`from ${source}`] : []), title, message].join('  ')),
  );
}
