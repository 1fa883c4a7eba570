import { z } from 'zod';
import { SCHEDULE_KINDS } from './ports/schedules.js';

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
