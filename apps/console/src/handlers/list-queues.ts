import type { QueueList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listQueuesInput = {};

/** How full each queue is: `{ items }`. */
export const listQueues: Handler<typeof listQueuesInput, QueueList> = async ({ queue }) => ({
  items: await queue.depths(),
});
