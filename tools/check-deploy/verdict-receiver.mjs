import { createHmac } from 'node:crypto';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

/** Receives messages from the queue `verdicts`. */
export function collectVerdicts(queueUrl) {
  const messages = [];
  const connection = new Redis(queueUrl, { maxRetriesPerRequest: null });
  const worker = new Worker('verdicts', async ({ data }) => void messages.push(data), { connection });
  return {
    messages,
    close: async () => {
      await worker.close();
      connection.disconnect();
    },
  };
}

/** Returns the signature that a message must have. */
export function signatureOf({ deliveryId, verdict }, key) {
  const body = `${deliveryId}.${JSON.stringify(verdict)}`;
  return `v1,${createHmac('sha256', key).update(body).digest('base64')}`;
}
