import type { AlertInput } from '@casefile/contracts';
import { openQueue, bullTraces } from './open-queue.js';
import { ALERTS } from './queue-names.js';
import { ALERT_OPTIONS } from './queue-options.js';
import type { QueueStore } from './queue-store.js';

/** The sending side of the queue `alerts`, for upstream systems. */
export interface AlertSender {
  /**
   * Adds alerts without checking them. An alert with a known `id` is not added again. Returns the job ids.
   */
  send(alerts: { body: AlertInput; id?: string }[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens an alert sender, for the command line and for tests. */
export function createAlertSender(connection: QueueStore, telemetryTracer?: string): AlertSender {
  const queue = openQueue(connection, ALERTS, bullTraces(telemetryTracer));
  return {
    send: async (alerts) => {
      const jobs = alerts.map(({ body, id }) => ({
        name: 'alert',
        data: body,
        opts: { ...ALERT_OPTIONS, jobId: id },
      }));
      return (await queue.addBulk(jobs)).map((job) => job.id ?? '');
    },
    close: () => queue.close(),
  };
}
