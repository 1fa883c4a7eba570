import type { EventRecord } from '@casefile/contracts';
import type { Command } from 'commander';
import { signalsEndWith } from '@casefile/runtime/process-end';
import { connectConsole, consoleOptions, type ConsoleOptions } from './options.js';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { verdictLine } from '../output/verdict-line.js';
import { decidedCase } from '../settled.js';
import { excerpt, oneLine } from '@casefile/kit/output/escape';
import type { Colors } from '../output/terminal.js';

interface WatchOptions extends ConsoleOptions {
  since?: string;
  verdicts?: boolean;
}

/** `casefile watch` */
export function addWatch(program: Command, context: CommandContext): void {
  const command = program
    .command('watch')
    .description('follow the events until Ctrl-C')
    .option('--since <id>', 'start after this event; 0: with the first event')
    .option('--verdicts', 'only verdicts');
  consoleOptions(command, 'print one JSON object per event').action((options: WatchOptions) =>
    watch(options, context),
  );
}

async function watch(options: WatchOptions, { terminal, end }: CommandContext): Promise<void> {
  const client = await connectConsole(options);
  signalsEndWith(EXIT.ok);
  for await (const event of await client.events(options.since ?? null, new AbortController().signal)) {
    if (options.verdicts && event.type !== 'verdict.decided') continue;
    if (options.json) terminal.out(JSON.stringify(event));
    else terminal.out((await verdictInEvent(event, client, terminal)) ?? eventLine(event, terminal.colors));
  }
  end(EXIT.ok);
}

async function verdictInEvent(
  event: EventRecord,
  client: ConsoleClient,
  terminal: CommandContext['terminal'],
) {
  if (event.type !== 'verdict.decided' || event.caseId === null) return null;
  const shownCase = await client.getCase(event.caseId);
  const run = shownCase.runs.find((candidate) => candidate.id === event.runId);
  const decided = run === undefined ? null : decidedCase(shownCase, run, client);
  return decided === null ? null : verdictLine(decided, terminal);
}

const FACTS_WIDTH = 100;
const TYPE_COLUMN = 22;

/** `10:00:01  stage.completed  <case>  stage=collect round=1` */
function eventLine(event: EventRecord, colors: Colors): string {
  const facts = Object.entries(event.data)
    .filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
    .map(([key, value]) => `${key}=${String(value)}`);
  const time = oneLine(event.at.slice(11, 19));
  return `${colors.dim(time)}  ${oneLine(event.type).padEnd(TYPE_COLUMN)}  ${oneLine(event.caseId ?? '-')}  ${excerpt(facts.join(' '), FACTS_WIDTH)}`;
}
