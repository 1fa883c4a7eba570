import { z } from 'zod';

/** `alert`: submits an alert. `feed`: fetches entries of a knowledge base. */
export const SCHEDULE_KINDS = ['alert', 'feed'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** A schedule of the configuration as the API shows it. */
export const shownScheduleSchema = z.object({
  kind: z.enum(SCHEDULE_KINDS).describe('`alert`: submits an alert. `feed`: fetches a knowledge base.'),
  name: z.string().describe('Its name in the configuration.'),
  cron: z.string(),
  timezone: z.string(),
  target: z.string().describe('Kind of case of the alert, or knowledge base of the feed.'),
  nextAt: z.string().nullable().describe('Next due time; null: there is none.'),
  lastDueAt: z.string().nullable().describe('Last due time that was run; null: none yet.'),
  lastRunAt: z
    .string()
    .nullable()
    .describe('When it was run. After an outage this is later than the due time.'),
  lastCaseId: z.string().nullable().describe('Case of the last alert.'),
  failingSince: z.string().nullable(),
  problem: z.string().nullable().describe('Reason of the current failure.'),
  result: z.string().nullable().describe('Result of the last fetch of a feed.'),
});
export type ShownSchedule = z.infer<typeof shownScheduleSchema>;

/** `GET /schedules`. */
export const scheduleListSchema = z.object({
  schedules: z.array(shownScheduleSchema),
  nextCursor: z.string().nullable(),
});
export type ScheduleList = z.infer<typeof scheduleListSchema>;

/** State of a schedule of the configuration, as it is stored. Times are ISO 8601. */
export interface ScheduleState extends Omit<
  ShownSchedule,
  'cron' | 'timezone' | 'target' | 'nextAt' | 'result'
> {
  /** Cron expression and time zone that this state belongs to. */
  timing: string;
  /** Due times until this time are done, or were before the schedule existed. */
  doneUntil: string;
  /** Facts about the last fetch of a feed. */
  fetched: FetchedFeed | null;
}

/** Facts about the last successful fetch of a feed. */
export interface FetchedFeed {
  /** Validators of the answer, for the next request. */
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of the content in hexadecimal digits. */
  digest: string;
  /** Result of the import in words. */
  result: string;
  /** When the content last changed, ISO 8601. */
  changedAt: string;
}

/** States of the schedules of the configuration. */
export interface Schedules {
  /** Returns all states, also of schedules that the configuration no longer has. */
  states(): Promise<ScheduleState[]>;
  /** Writes a state, unless a later one is stored: a process with an old state changes nothing. */
  save(state: ScheduleState): Promise<void>;
}
