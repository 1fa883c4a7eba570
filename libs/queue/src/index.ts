export { createAlertSender, type AlertSender } from './alert-sender.js';
export { createBoard, type Board, type BoardOptions, type HttpHandler } from './board.js';
export { BullMqQueue, type BullQueueOptions } from './bull-queue.js';
export { BulkGate } from './bulk-gate.js';
export { BullMqContext, type JobFacts } from './bullmq-context.js';
export {
  BullMqServer,
  type BullMqServerOptions,
  type QueueServer,
  type TopicLimits,
} from './bullmq-server.js';
export { connectQueueStore, type QueueStoreOptions } from './connect-queue-store.js';
export {
  createInlineQueue,
  type InlineCounts,
  type InlineHandler,
  type InlineQueue,
  type InlineQueueOptions,
} from './inline-queue.js';
export type { SlotCounts } from './job-slots.js';
export {
  ALERTS,
  FEEDBACK,
  queueName,
  queueNames,
  queueOfNudge,
  stageTopic,
  toolTopic,
  VERDICTS,
} from './queue-names.js';
export type { QueueStore } from './queue-store.js';
