import type { DeadLetter, DeadLetters } from '@casefile/contracts';
import type { ConsoleFake } from './console-fake.js';

/** Returns the dead letters of a console without a database. */
export function deadLettersOf(fake: ConsoleFake): DeadLetters {
  const take = (ids: string[]): DeadLetter[] => {
    const letters = fake.deadLetters.filter((letter) => ids.includes(letter.id));
    fake.deadLetters = fake.deadLetters.filter((letter) => !ids.includes(letter.id));
    return letters;
  };
  return {
    bury: async () => undefined,
    find: async (query) => {
      const from = Number(query.cursor ?? 0);
      const matches = fake.deadLetters.filter(
        (letter) => (query.reason ?? letter.reasonCode) === letter.reasonCode,
      );
      const next = from + query.limit;
      return { items: matches.slice(from, next), nextCursor: next < matches.length ? String(next) : null };
    },
    count: async () => {
      const codes = fake.deadLetters.map(({ reasonCode }) => reasonCode);
      return [...new Set(codes)].map((reasonCode) => ({
        reasonCode,
        count: codes.filter((it) => it === reasonCode).length,
        oldestAt: fake.deadLetters.find((letter) => letter.reasonCode === reasonCode)?.at ?? '',
      }));
    },
    of: async (ids) => fake.deadLetters.filter((letter) => ids.includes(letter.id)),
    redrive: async (runIds) => {
      fake.redriven.push(runIds);
      const redriven = take(runIds).map((letter) => letter.id);
      const at = { unit: '', stage: 'reason', round: 1, lane: 'live', nudge: 2 } as const;
      return { redriven, nudges: redriven.map((runId) => ({ kind: 'stage', runId, ...at })) };
    },
    settle: async (id, accepted, edit) => {
      fake.settled.push({ id, caseId: accepted.caseId, ...(edit === undefined ? {} : { edit }) });
      return take([id]).length > 0;
    },
    edited: async () => null,
    drop: async (ids) => take(ids).map((letter) => letter.id),
  };
}
