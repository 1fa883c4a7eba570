import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import {
  createSilenceSchema,
  matcherText,
  parseInput,
  readMatcher,
  SILENCE_STATES,
  type ShownSilence,
  type SilenceMatcher,
  type SilenceState,
} from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface ActOptions extends ConsoleOptions {
  by?: string;
  reason?: string;
}

interface CreateOptions extends ActOptions {
  start?: string;
  until?: string;
  for?: number;
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `casefile silences list|create|end` */
export function addSilences(program: Command, context: CommandContext): void {
  const command = program
    .command('silences')
    .description('times in which matching alerts are judged and wake nobody');
  addList(command, context);
  addCreate(command, context);
  addEnd(command, context);
}

function addList(parent: Command, { terminal, end }: CommandContext): void {
  const list = parent
    .command('list')
    .description('list silences with the messages that each withheld')
    .addOption(new Option('--state <state>').choices([...SILENCE_STATES]));
  consoleOptions(list).action(async ({ state, ...options }: ConsoleOptions & { state?: SilenceState }) => {
    const query = state === undefined ? {} : { state };
    const answer = await (await connectConsole(options)).get('/silences', { query });
    print(terminal, options, answer, () =>
      answer.silences.length === 0 ? ['No silences.'] : answer.silences.map(silenceLine),
    );
    end(EXIT.ok);
  });
}

function addCreate(parent: Command, { terminal, end }: CommandContext): void {
  const create = parent
    .command('create')
    .description('silence alerts that match, for example: service=checkout instance=~"db-.*" --for 2h')
    .argument(
      '<matchers...>',
      'all must match, and one needs an exact value: name=value, name!=value, name=~pattern, name!~pattern',
      readMatchers,
    )
    .option('--for <duration>', 'time from the start: 30m, 2h, 7d', durationMs)
    .option('--until <time>', 'end, instead of --for: 2026-01-31T10:00:00Z')
    .option('--start <time>', 'start; default: now')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'author', userInfo().username);
  consoleOptions(create).action(async (matchers: SilenceMatcher[], options: CreateOptions) => {
    const { start, reason, by } = options;
    const times = { endsAt: endOf(options), ...(start === undefined ? {} : { startsAt: start }) };
    const body = parseInput(
      createSilenceSchema,
      { matchers, reason, ...times, ...(by === undefined ? {} : { by }), actId: randomUUID() },
      'silence',
    );
    const silence = await (await connectConsole(options)).post('/silences', { body });
    print(terminal, options, silence, () => [
      silenceLine(silence),
      `end it early: casefile silences end ${oneLine(silence.id)}`,
    ]);
    end(EXIT.ok);
  });
}

function addEnd(parent: Command, { terminal, end }: CommandContext): void {
  const command = parent
    .command('end')
    .description('end a silence early, or cancel a planned one; what still fires is judged again')
    .argument('<id>', 'its id')
    .option('--reason <text>', 'why')
    .option('--by <name>', 'who ends it', userInfo().username);
  consoleOptions(command).action(async (id: string, options: ActOptions) => {
    const { by, reason } = options;
    const body = {
      ...(by === undefined ? {} : { by }),
      ...(reason === undefined ? {} : { reason }),
      actId: randomUUID(),
    };
    const silence = await (
      await connectConsole(options)
    ).post('/silences/{id}/end', { params: { id }, body });
    print(terminal, options, silence, () => [silenceLine(silence)]);
    end(EXIT.ok);
  });
}

// Commander calls this for each argument, with the result of the previous ones.
function readMatchers(text: string, before: SilenceMatcher[] | undefined): SilenceMatcher[] {
  const matcher = readMatcher(text);
  if (matcher === null)
    throw new InvalidArgumentError(
      'Expected name=value, name!=value, name=~pattern or name!~pattern, for example service=checkout.',
    );
  return [...(before ?? []), matcher];
}

function durationMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === '' || Number(count) === 0)
    throw new InvalidArgumentError('Expected minutes, hours or days, for example 30m, 2h or 7d.');
  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

function endOf({ until, for: forMs, start }: CreateOptions): string {
  if (until !== undefined && forMs !== undefined)
    throw new InvalidArgumentError('Expected --for or --until, not both.');
  if (until !== undefined) return until;
  if (forMs === undefined) throw new InvalidArgumentError('Expected --for or --until, for example --for 2h.');
  const from = start === undefined ? Date.now() : Date.parse(start);
  return Number.isNaN(from) ? (start ?? '') : new Date(from + forMs).toISOString();
}

function silenceLine(silence: ShownSilence): string {
  const { id, source, state, matchers, startsAt, endsAt, reason, author, problem, withheld } = silence;
  const { cases, messages, critical } = withheld;
  const counts = `${messages} messages withheld (${critical} critical) in ${cases} cases`;
  const applies = problem === null ? '' : `  does not apply: ${problem}`;
  const from = source === 'casefile' ? '' : ` (${source})`;
  return oneLine(
    `${id}  ${state}  ${matchers.map(matcherText).join(' ')}  ${startsAt} to ${endsAt}  ${counts}  by ${author}${from}: ${reason}${applies}`,
  );
}
