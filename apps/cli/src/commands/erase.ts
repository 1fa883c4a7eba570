import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { ERASABLE_CLASSES, sleep, type ErasableClass, type ShownErasureDetail } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { eraseAgain, lostErasures } from './erased-again.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { wrongOption } from './option-values.js';

interface EraseOptions extends ConsoleOptions {
  case?: string[];
  subject?: string;
  again?: string;
  classes?: ErasableClass[];
  dryRun?: boolean;
  by: string;
  reason: string;
}

const LOOK_EVERY_MS = 500;

/** `casefile erase --case ID | --subject VALUE | --again FILE` */
export function addErase(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('erase')
    .description('erase content of cases; verdicts, figures and digests stay')
    .option('--case <id...>', 'these cases, each by its id or a unique prefix or suffix of it')
    .option('--subject <value>', 'every case in which this phone number, address, domain or text occurs')
    .option(
      '--again <file>',
      'after a restore: what a file of `casefile export erasures` states and the record does not',
    )
    .option('--classes <list>', `what to erase: ${ERASABLE_CLASSES.join(',')} (default: all)`, classList)
    .option('--dry-run', 'only count what would be erased, and name the cases with open work')
    .option('--by <name>', 'who acts', userInfo().username)
    .requiredOption('--reason <text>', 'why; it stays on the record, so it should name no person');
  consoleOptions(command).action(async (options: EraseOptions) => {
    const { subject, classes, dryRun = false, by, reason, again } = options;
    if (again !== undefined && [subject, options.case, classes].some((one) => one !== undefined))
      throw wrongOption('--again', 'expected neither --case, --subject nor --classes with it');
    const client = await connectConsole(options);
    if (again !== undefined) {
      const lost = await lostErasures(client, again);
      const erasures = dryRun
        ? []
        : await eraseAgain(client, lost, { by, reason }, (id) => settledErasure(client, id));
      print(terminal, options, { ...lost, erasures }, () => [
        `${lost.requests.reduce((sum, { caseIds }) => sum + caseIds.length, 0)} erasures of cases are missing on the record, ${lost.kept} are there.`,
        ...erasures.flatMap(erasureLines),
      ]);
      return end(erasures.every(({ endedAt }) => endedAt !== null) ? EXIT.ok : EXIT.failed);
    }
    const ids = await Promise.all((options.case ?? []).map((part) => client.wholeId(part)));
    const chosen = options.case === undefined ? {} : { caseIds: ids };
    const body = {
      ...chosen,
      ...(subject === undefined ? {} : { subject }),
      ...(classes === undefined ? {} : { classes }),
      ...(dryRun ? { dryRun } : {}),
      by,
      reason,
      id: randomUUID(),
    };
    const answer = await client.post('/erasures', { body });
    if (answer.id === null) {
      print(terminal, options, answer, () => previewLines(answer.preview));
      return end(EXIT.ok);
    }
    const erasure = await settledErasure(client, answer.id);
    print(terminal, options, erasure, () => erasureLines(erasure));
    end(erasure.endedAt === null ? EXIT.failed : EXIT.ok);
  });
}

/** Waits until each case is erased or found blocked. */
async function settledErasure(client: ConsoleClient, erasureId: string): Promise<ShownErasureDetail> {
  for (;;) {
    const erasure = await client.get('/erasures/{erasureId}', { params: { erasureId } });
    if (erasure.erased + erasure.blocked >= erasure.total) return erasure;
    await sleep(LOOK_EVERY_MS);
  }
}

interface Preview {
  cases: number;
  blocked: { caseId: string; why: string }[];
  blockedCases: number;
  places: { place: string; classes: string[]; rows: number }[];
  deadLetters: number;
  prompts: string[];
}

function previewLines({ cases, blocked, blockedCases, places, deadLetters, prompts }: Preview): string[] {
  return [
    `${cases} cases, ${blockedCases} of them with open work. Nothing was erased.`,
    ...places.map(({ place, rows }) => `  ${place}: ${rows} rows`),
    ...(deadLetters === 0 ? [] : [`  dead letters: ${deadLetters}`]),
    ...prompts.map((id) => `  prompt ${id} contains the value and is kept: change its text`),
    ...blocked.map(({ caseId, why }) => `  case ${caseId}: ${why}`),
  ].map(oneLine);
}

function erasureLines({ id, total, erased, blocked, blockedCases }: ShownErasureDetail): string[] {
  const waiting = blocked === 0 ? '' : `; ${blocked} have open work and are erased when it has ended`;
  return [
    `erasure ${id}: ${erased} of ${total} cases erased${waiting}`,
    ...blockedCases.map(({ caseId, why }) => `  case ${caseId}: ${why}`),
  ].map(oneLine);
}

function classList(text: string): ErasableClass[] {
  return text.split(',').map((part) => {
    const match = ERASABLE_CLASSES.find((one) => one === part.trim());
    if (match !== undefined) return match;
    throw new InvalidArgumentError(`Expected some of ${ERASABLE_CLASSES.join(',')}.`);
  });
}
