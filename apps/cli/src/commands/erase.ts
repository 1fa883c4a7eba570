import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import {
  ERASABLE_CLASSES,
  sleep,
  type ErasableClass,
  type ShownErasureDetail,
  CasefileError,
  erasedCaseSchema,
  MOST_NAMED_CASES,
  type ErasedCase,
  type ErasurePreview,
} from '@casefile/contracts';
import { readInputFile } from '@casefile/kit/files/read-input-file';
import { oneLine } from '@casefile/kit/output/escape';
import { InvalidArgumentError, type Command } from 'commander';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
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

function previewLines({
  cases,
  blocked,
  blockedCases,
  places,
  deadLetters,
  prompts,
}: ErasurePreview): string[] {
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

/** Erasures per request. */
const PAGE = 1_000;
/** Longest reason that the API takes. */
const REASON = 1_000;

/** Returns the erasures of all cases on the record, oldest first, a request per page. */
export async function* erasedCases(client: ConsoleClient): AsyncGenerator<ErasedCase> {
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const page = await client.get('/erased-cases', { query });
    yield* page.erased;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Erasures that a restored record has lost, grouped into requests. */
interface LostErasures {
  requests: { caseIds: string[]; classes: ErasedCase['classes']; reason: string }[];
  /** Erasures of the file that are on the record. */
  kept: number;
}

/**
 * Returns what of a file of `casefile export erasures` the record does not state: an erasure is kept if the case
 * was erased at that time or later with all of its classes.
 * @throws CasefileError `unreadable_file` that names the line.
 */
async function lostErasures(client: ConsoleClient, file: string): Promise<LostErasures> {
  const wanted = readErasures(await readInputFile(file), file);
  const onRecord = new Map<string, ErasedCase[]>();
  for await (const one of erasedCases(client))
    onRecord.set(one.caseId, [...(onRecord.get(one.caseId) ?? []), one]);
  const lost = wanted.filter(({ caseId, classes, at }) => {
    const later = (onRecord.get(caseId) ?? []).filter((one) => one.at >= at);
    const covered = new Set(later.flatMap((one) => one.classes));
    return classes.some((one) => !covered.has(one));
  });
  const groups = new Map<string, ErasedCase[]>();
  for (const one of lost) {
    const key = JSON.stringify([one.classes, one.reason]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const requests = [...groups.values()].flatMap((group) => {
    const { classes, reason } = group[0]!;
    const ids = [...new Set(group.map(({ caseId }) => caseId))];
    return Array.from({ length: Math.ceil(ids.length / MOST_NAMED_CASES) }, (_, part) => ({
      caseIds: ids.slice(part * MOST_NAMED_CASES, (part + 1) * MOST_NAMED_CASES),
      classes,
      reason,
    }));
  });
  return { requests, kept: wanted.length - lost.length };
}

function readErasures(text: string, file: string): ErasedCase[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const read = erasedCaseSchema.safeParse(parsed(line));
    if (read.success) return [read.data];
    throw new CasefileError(
      'unreadable_file',
      `${file}: line ${at + 1} is no erasure as \`casefile export erasures\` writes it`,
    );
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/**
 * Requests each lost erasure again.
 * @param settled Waits until an erasure has erased each of its cases or found open work.
 * @returns the erasures; cases that are not on the restored record are in none.
 */
async function eraseAgain(
  client: ConsoleClient,
  { requests }: LostErasures,
  { by, reason }: { by: string; reason: string },
  settled: (id: string) => Promise<ShownErasureDetail>,
): Promise<ShownErasureDetail[]> {
  const erasures: ShownErasureDetail[] = [];
  for (const { reason: first, ...request } of requests) {
    const why = `${reason}: ${first}`.slice(0, REASON);
    const answer = await client.post('/erasures', {
      body: { ...request, by, reason: why, id: randomUUID() },
    });
    if (answer.id !== null) erasures.push(await settled(answer.id));
  }
  return erasures;
}
