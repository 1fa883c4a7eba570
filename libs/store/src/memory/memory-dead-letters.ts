import type {
  CaseReader,
  DeadLetter,
  DeadLetterCount,
  DeadLetterPage,
  DeadLetterQuery,
  DeadLetters,
  Json,
  Nudge,
} from '@casefile/contracts';
import { cursorOf, placeOfLetter } from '../plan/cursor.js';
import { DROPPED, DROPPED_MESSAGE } from '../plan/dropped.js';
import { LOOK_AGAIN_MS, nudgeOf } from '../plan/unit-state.js';
import { stored } from '../storable.js';
import type { MemoryState, RunEntry } from './memory-state.js';

type Letter = Omit<DeadLetter, 'at'> & { at: number };

/** Statuses of what waits for a person. */
const WAITING: readonly string[] = ['quarantined', 'parked'];

/** What people do about dead letters, in memory. */
export function memoryDeadLetters(state: MemoryState): DeadLetters & Pick<CaseReader, 'listDeadLetters'> {
  return {
    findDeadLetters: async (query) => findDeadLetters(state, query),
    countDeadLetters: async (q = '') => countsOf(lettersOf(state).filter(isAbout(q))),
    listDeadLetters: async (limit) => findDeadLetters(state, { limit }).items,
    deadLettersOf: async (ids) => lettersOf(state).filter(isOneOf(ids)).map(shown(state)),
    redriveDeadRuns: async (runIds) => {
      const letters = lettersOf(state).filter(isOneOf(runIds)).filter(isOfRun);
      const nudges = letters.flatMap((letter) => redrive(state, letter.id));
      for (const letter of letters) note(state, 'operator.redrove', letter, letter);
      return { redriven: letters.map((letter) => letter.id), nudges };
    },
    settleBuriedAlert: async (id, accepted) => {
      const letter = lettersOf(state).find((one) => one.id === id);
      if (letter === undefined || !state.buried.delete(id)) return false;
      note(state, 'operator.redrove', letter, accepted);
      return true;
    },
    dropDeadLetters: async (ids) => {
      const letters = lettersOf(state).filter(isOneOf(ids));
      for (const letter of letters) drop(state, letter);
      return letters.map((letter) => letter.id);
    },
  };
}

/** Quarantined and parked runs go on where they were. */
export function redrive(state: MemoryState, runId: string): Nudge[] {
  const run = state.runs.get(runId);
  if (run === undefined || !WAITING.includes(run.status)) return [];
  Object.assign(run, { status: 'due', reasonCode: null, message: null, endedAt: null });
  const units = state.unitsOf(runId).filter((unit) => WAITING.includes(unit.status));
  for (const unit of units) {
    Object.assign(unit, { status: 'due', crashes: 0, firstCrashAt: null, failures: 0, held: false });
    Object.assign(unit, { reasonCode: null, message: null, resumeAt: state.now() + LOOK_AGAIN_MS });
    unit.nudges += 1;
  }
  const places = units.map(({ unit, stage, round }) => ({ unit, stage, round }));
  state.tell({ caseId: run.caseId, runId }, { type: 'run.redriven', data: { units: places } });
  return units.map(nudgeOf);
}

function drop(state: MemoryState, letter: Letter): void {
  state.buried.delete(letter.id);
  const run = isOfRun(letter) ? state.runs.get(letter.id) : undefined;
  if (run !== undefined) stop(state, run, letter);
  note(state, 'operator.dropped', letter, letter);
}

function stop(state: MemoryState, run: RunEntry, { reasonCode: was, message: said }: Letter): void {
  const message = `${DROPPED_MESSAGE} ${was}: ${said}`;
  Object.assign(run, { status: 'stopped', reasonCode: DROPPED, message, endedAt: state.now() });
  const units = state
    .unitsOf(run.id)
    .filter((unit) => !['finished', 'decided', 'stopped'].includes(unit.status));
  for (const unit of units) {
    Object.assign(unit, { status: 'stopped', epoch: unit.epoch + 1, leaseUntil: null, resumeAt: null });
  }
  const { stage, round, unit } = units[0]!;
  const data = { stage, round, unit, reasonCode: DROPPED, message };
  state.tell({ caseId: run.caseId, runId: run.id }, { type: 'run.stopped', data });
}

function note(
  state: MemoryState,
  type: string,
  { id: letterId, kind, reasonCode }: Letter,
  { caseId, runId }: { caseId: string | null; runId: string | null },
): void {
  state.tell({ caseId, runId }, { type, data: { letterId, kind, reasonCode } });
}

function findDeadLetters(state: MemoryState, query: DeadLetterQuery): DeadLetterPage {
  const { q = '', reason, cursor, limit } = query;
  const place = cursor === undefined ? null : placeOfLetter(cursor);
  const after = place === null ? null : { at: Number(place.createdAt) / 1000, id: place.id };
  const wanted = lettersOf(state)
    .filter((letter) => reason === undefined || letter.reasonCode === reason)
    .filter(isAbout(q))
    .filter((letter) => after === null || newestFirst(after, letter) < 0);
  const page = wanted.slice(0, limit);
  const last = page.at(-1);
  const more = wanted.length > limit && last !== undefined;
  return {
    items: page.map(shown(state)),
    nextCursor: more ? cursorOf({ createdAt: String(last.at * 1000), id: last.id }) : null,
  };
}

function countsOf(letters: Letter[]): DeadLetterCount[] {
  const counts = new Map<string, number>();
  for (const { reasonCode } of letters) counts.set(reasonCode, (counts.get(reasonCode) ?? 0) + 1);
  return [...counts]
    .map(([reasonCode, count]) => ({ reasonCode, count }))
    .sort((a, b) => b.count - a.count || (a.reasonCode < b.reasonCode ? -1 : 1));
}

const isAbout = (q: string) => (letter: Letter) => wordsOf(letter).includes(q.trim().toLowerCase());

function wordsOf({ id, reasonCode, message, caseId, payload }: Letter): string {
  const text = (payload as { text?: Json } | null)?.text;
  return [id, reasonCode, message, caseId, text].filter(Boolean).join(' ').toLowerCase();
}

function lettersOf(state: MemoryState): Letter[] {
  const alerts = [...state.buried.values()].map(({ payload, ...entry }): Letter => {
    return { ...entry, kind: 'alert', caseId: null, runId: null, payload: payload as Json };
  });
  const runs = [...state.runs.values()].filter((run) => WAITING.includes(run.status));
  return [...alerts, ...runs.map(letterOfRun)].sort(newestFirst);
}

function letterOfRun({ id, caseId, reasonCode, message, createdAt, endedAt }: RunEntry): Letter {
  const why = { reasonCode: reasonCode ?? 'unexpected', message: message ?? '' };
  return { id, kind: 'run', ...why, caseId, runId: id, payload: null, at: endedAt ?? createdAt };
}

function newestFirst(a: Pick<Letter, 'at' | 'id'>, b: Pick<Letter, 'at' | 'id'>): number {
  return b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

const isOfRun = (letter: Letter): boolean => letter.kind === 'run';
const isOneOf = (ids: string[]) => (letter: Letter) => ids.includes(letter.id);
const shown =
  (state: MemoryState) =>
  (letter: Letter): DeadLetter =>
    stored({ ...letter, at: state.iso(letter.at) });
