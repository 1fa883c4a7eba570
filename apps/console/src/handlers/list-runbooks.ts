import type { RunbookList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listRunbooksInput = {};

/** The runbooks that are there, the current version of each, with the rules that lead to it. */
export const listRunbooks: Handler<typeof listRunbooksInput, RunbookList> = async ({ runbooks }) => ({
  runbooks: await runbooks.listRunbooks(),
});
