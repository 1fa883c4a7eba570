import type { Clock, Destinations } from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import { causedId } from '../destinations/new-deliveries.js';
import { lastDue, type Timing } from '../schedules/due-times.js';

interface TestPorts {
  store: { destinations: Pick<Destinations, 'add' | 'reportedUntil' | 'setReportedUntil'> };
  clock: Pick<Clock, 'now'>;
}

type TestedDestination = Pick<ActiveDestination, 'name' | 'testCron' | 'testTimezone'>;

/**
 * Writes a test message to each destination whose scheduled time has come. After a pause of the service, only the last
 * missed time is used. A new or changed schedule begins with its next time.
 * @returns the number of messages.
 */
export async function sendScheduledTests(
  ports: TestPorts,
  destinations: readonly TestedDestination[],
): Promise<number> {
  let count = 0;
  for (const { name, testCron: cron, testTimezone: timezone = 'UTC' } of destinations)
    if (cron !== undefined && (await sendDue(ports, name, { cron, timezone }))) count += 1;
  return count;
}

async function sendDue({ store, clock }: TestPorts, name: string, timing: Timing): Promise<boolean> {
  const { destinations } = store;
  const now = clock.now();
  const schedule = `test ${name} ${timing.cron} ${timing.timezone}`;
  const until = await destinations.reportedUntil(schedule);
  const due = until === null ? null : lastDue(timing, until, now);
  if (until !== null && due === null) return false;
  if (due !== null) {
    // A time has one message, also if two processes write it.
    const key = `test ${new Date(due).toISOString()}`;
    const about = { caseId: null, runId: null, openUntil: null };
    const id = causedId(name, key);
    await destinations.add([{ ...about, id, destination: name, kind: 'test', key }], now);
  }
  await destinations.setReportedUntil(schedule, due ?? now);
  return due !== null;
}
