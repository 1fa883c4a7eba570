import { matchRunbooksSchema, runbookQuestionOf, type RunbookMatchList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const matchRunbooksInput = { body: matchRunbooksSchema };

/** Which runbook each of these alerts gets, and why. */
export const matchRunbooks: Handler<typeof matchRunbooksInput, RunbookMatchList> = async (
  { runbooks },
  { body },
) => ({ matches: await runbooks.matchRunbooks(body.alerts.map(runbookQuestionOf)) });
