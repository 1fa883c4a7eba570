import type { ShownSchedule } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

/** `casefile schedules` */
export function addSchedules(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('schedules')
    .description('list scheduled alerts and fetched feeds, with their last and next time');
  consoleOptions(command).action(async (options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/schedules');
    const { schedules } = answer;
    print(terminal, options, answer, () =>
      schedules.length === 0 ? ['No schedules.'] : schedules.flatMap(scheduleLines),
    );
    end(EXIT.ok);
  });
}

function scheduleLines(schedule: ShownSchedule): string[] {
  const { kind, name, cron, timezone, target, nextAt, lastDueAt, lastCaseId, result } = schedule;
  const { failingSince, problem } = schedule;
  const last = lastDueAt === null ? 'not run yet' : `last ${lastDueAt}`;
  const outcome = lastCaseId === null ? (result ?? '') : `case ${lastCaseId}`;
  const lines = [
    `${name}  ${kind} ${target}  ${cron} ${timezone}  ${last}  next ${nextAt ?? '-'}  ${outcome}`,
  ];
  if (failingSince !== null) lines.push(`  failing since ${failingSince}: ${problem ?? ''}`);
  return lines.map((line) => oneLine(line).trimEnd());
}
