import { Queue } from 'bullmq';
export const x = Queue;
