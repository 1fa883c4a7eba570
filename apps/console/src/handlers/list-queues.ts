import type { Handler } from '../http/route.js';

export const listQueuesInput = {};

/** How full each queue is: `{ items }`. */
export const listQueues: Handler<typeof listQueuesInput> = async ({ queue }) => ({
  items: await queue.depths(),
});
