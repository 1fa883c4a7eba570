import { giveSignalSchema, z, type GivenSignal } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const giveSignalInput = {
  params: z.object({ caseId: z.string().max(100), name: z.string().max(100) }),
  body: giveSignalSchema,
};

/** Answers what a run of the case asks; the same answer again changes nothing. S5-25. */
export const giveSignal: Handler<typeof giveSignalInput, GivenSignal> = async (
  { store, queue },
  { params, body },
) => {
  const { nudges, ...given } = await store.signals.give({
    ...params,
    option: body.option,
    by: body.by ?? 'console',
  });
  await queue.nudge(nudges);
  return given;
};
