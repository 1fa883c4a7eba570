import { createInlineQueue } from '@casefile/queue';
import { InlineServer } from '@casefile/queue/testing';
import type { OpenQueues } from '@casefile/runtime';

/** More than the cases of one test use, so that no job waits for a slot. */
const SLOTS = { live: 40, bulk: 10 };

/**
 * Opens queues in this process. On Postgres the 46 workers of a process poll: that costs a world 0.15 s of processor
 * time in each second, also while it is idle, and its start three times as much.
 */
export const inlineQueues: OpenQueues = async ({ log, opened }) => {
  const queue = opened(createInlineQueue({ log, slots: SLOTS }), (it) => it.close());
  return {
    queue,
    queueWorkers: () => new InlineServer(queue),
    board: () => (_request, response) => void response.writeHead(404).end(),
  };
};
