import { userInfo } from 'node:os';
import { givenSignalSchema, InvalidInput, type ShownCase, type SignalRecord } from '@casefile/contracts';
import type { Command } from 'commander';
import { ConsoleClient } from '../client/console-client.js';
import { requestJson } from '../client/request-json.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { addressesOf, httpAddress } from './options.js';

interface Options {
  by?: string;
  console?: string;
  json?: boolean;
}

/** `casefile signal CASE [NAME OPTION]` S5-25. */
export function addSignal(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('signal')
    .description('answer what a run asks and waits for, or list what the runs of a case asked')
    .argument('<case>', 'id of the case, or its beginning or end where only one case has it')
    .argument('[name]', 'what is asked, as the list names it')
    .argument('[option]', 'the value of one of its options')
    .option('--by <name>', 'who says so; left out: the user of this machine')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print it as the console answers it')
    .action(async (part: string, name: string | undefined, option: string | undefined, options: Options) => {
      if (name !== undefined && option === undefined)
        throw new InvalidInput(
          [{ path: 'option', message: `expected an option of ${name}` }],
          'command line',
        );
      const baseUrl = options.console ?? (await addressesOf()).console;
      const client = new ConsoleClient(baseUrl);
      const caseId = await client.wholeId(part);
      if (name !== undefined && option !== undefined) {
        const by = options.by ?? userInfo().username;
        const given = await give(baseUrl, { caseId, name, option, by });
        const again = given.repeated ? ' (it was given before)' : '';
        terminal.out(options.json ? JSON.stringify(given) : oneLine(`given: ${name} ${option}${again}`));
        return end(EXIT.ok);
      }
      const asked = askedIn(await client.getCase(caseId));
      const lines = options.json ? [JSON.stringify({ signals: asked })] : asked.flatMap(linesOf);
      for (const line of lines) terminal.out(line);
      if (lines.length === 0) terminal.out('No run of this case asked anything.');
      end(EXIT.ok);
    });
}

async function give(
  baseUrl: string,
  { caseId, name, option, by }: { caseId: string; name: string; option: string; by: string },
) {
  const path = `/api/v1/cases/${encodeURIComponent(caseId)}/signals/${encodeURIComponent(name)}`;
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ option, by }) };
  return givenSignalSchema.parse(await requestJson(new URL(path, baseUrl), init));
}

const askedIn = ({ runs }: ShownCase): SignalRecord[] => runs.flatMap(({ signals = [] }) => signals);

function linesOf({ name, question, options, value, by, fallback, until }: SignalRecord): string[] {
  const state = value === null ? `open until ${until}, then ${fallback}` : `${by ?? '?'} chose ${value}`;
  return [
    oneLine(`${name}: ${question} (${state})`),
    ...options.map((option) => `  ${oneLine(`${option.value}: ${option.label}`)}`),
  ];
}
