import type { CaseReader } from '@casefile/contracts';
import type { Database } from './database.js';
import {
  countDeadLetters,
  deadLettersOf,
  dropDeadLetters,
  findDeadLetters,
  redriveDeadRuns,
  settleBuriedAlert,
} from './dead-letters.js';
import { eventsAfter, lastEventId, noteOperatorAction } from './events.js';
import { alertImage, getCase } from './get-case.js';
import { listCases } from './list-cases.js';
import { pipelineFiguresIn } from './pipeline-figures.js';

/** The reading side of the Postgres store, and what people do about dead letters. */
export function recordReader(database: Database): CaseReader {
  return {
    listCases: (query) => listCases(database, query),
    getCase: (caseId) => getCase(database, caseId),
    alertImage: (caseId, alertId) => alertImage(database, caseId, alertId),
    eventsAfter: (after, limit) => eventsAfter(database, after, limit),
    lastEventId: () => lastEventId(database),
    listDeadLetters: async (limit) => (await findDeadLetters(database, { limit })).items,
    findDeadLetters: (query) => findDeadLetters(database, query),
    countDeadLetters: (q) => countDeadLetters(database, q),
    deadLettersOf: (ids) => deadLettersOf(database, ids),
    redriveDeadRuns: (runIds) => redriveDeadRuns(database, runIds),
    settleBuriedAlert: (id, accepted) => settleBuriedAlert(database, id, accepted),
    dropDeadLetters: (ids) => dropDeadLetters(database, ids),
    noteOperatorAction: (what, data) => noteOperatorAction(database, what, data),
    pipelineFigures: pipelineFiguresIn(database),
    isEmpty: () => isEmpty(database),
  };
}

async function isEmpty(database: Database): Promise<boolean> {
  const [row] = await database.rows<{ empty: boolean }>('select not exists (select from cases) as empty');
  return row?.empty ?? true;
}
