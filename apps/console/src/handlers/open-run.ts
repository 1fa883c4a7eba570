import { openRunSchema, z, type OpenedRun } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const openRunInput = { params: z.object({ caseId: z.string().max(100) }), body: openRunSchema };

/** Makes a run of a case again; the case goes on showing the verdict it has. S4-62. */
export const openRun: Handler<typeof openRunInput, OpenedRun> = async ({ rerun }, { params, body }) =>
  rerun.open(params.caseId, body);
