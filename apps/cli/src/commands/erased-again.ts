import { randomUUID } from 'node:crypto';
import {
  CasefileError,
  erasedCaseSchema,
  MOST_NAMED_CASES,
  type ErasedCase,
  type ShownErasureDetail,
} from '@casefile/contracts';
import { readInputFile } from '@casefile/kit/files/read-input-file';
import type { ConsoleClient } from '../client/console-client.js';

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
export interface LostErasures {
  requests: { caseIds: string[]; classes: ErasedCase['classes']; reason: string }[];
  /** Erasures of the file that are on the record. */
  kept: number;
}

/**
 * Returns what of a file of `casefile export erasures` the record does not state: an erasure is kept if the case
 * was erased at that time or later with all of its classes.
 * @throws CasefileError `unreadable_file` that names the line.
 */
export async function lostErasures(client: ConsoleClient, file: string): Promise<LostErasures> {
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
export async function eraseAgain(
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
