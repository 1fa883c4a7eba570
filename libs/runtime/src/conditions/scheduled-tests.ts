import type { AuditLog, Clock, DeliveryEvent, Destinations } from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import type { AuditHeadSettings } from '../config/audit-head-settings.js';
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
    if (cron !== undefined && (await sendDue(ports, { name, kind: 'test' }, { cron, timezone }))) count += 1;
  return count;
}

/**
 * Writes the head of the audit log to its destination if the scheduled time has come.
 * @returns the number of messages.
 */
export async function sendAuditHead(
  ports: TestPorts & { store: { audit: Pick<AuditLog, 'head'> } },
  setting: AuditHeadSettings | null,
): Promise<number> {
  if (setting === null) return 0;
  const { to: name, ...timing } = setting;
  const event = async (): Promise<DeliveryEvent> => {
    const { count, hash } = await ports.store.audit.head();
    return { auditHead: `${count}:${hash}` };
  };
  return (await sendDue(ports, { name, kind: 'audit-head', event }, timing)) ? 1 : 0;
}

interface ScheduledMessage {
  /** Name of the destination. */
  name: string;
  kind: 'test' | 'audit-head';
  event?: () => Promise<DeliveryEvent>;
}

async function sendDue(
  { store, clock }: TestPorts,
  { name, kind, event }: ScheduledMessage,
  timing: Timing,
): Promise<boolean> {
  const { destinations } = store;
  const now = clock.now();
  const schedule = `${kind} ${name} ${timing.cron} ${timing.timezone}`;
  const until = await destinations.reportedUntil(schedule);
  const due = until === null ? null : lastDue(timing, until, now);
  if (until !== null && due === null) return false;
  if (due !== null) {
    // A time has one message, also if two processes write it.
    const key = `${kind} ${new Date(due).toISOString()}`;
    const about = { caseId: null, runId: null, openUntil: null };
    const id = causedId(name, key);
    const more = event === undefined ? {} : { event: await event() };
    await destinations.add([{ ...about, id, destination: name, kind, key, ...more }], now);
  }
  await destinations.setReportedUntil(schedule, due ?? now);
  return due !== null;
}
