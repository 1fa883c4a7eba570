/** `alert`: submits an alert. `feed`: fetches entries of a knowledge base. */
export const SCHEDULE_KINDS = ['alert', 'feed'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** State of a schedule of the configuration. Times are ISO 8601. */
export interface ScheduleState {
  kind: ScheduleKind;
  name: string;
  /** Cron expression and time zone that this state belongs to. */
  timing: string;
  /** Due times until this time are done, or were before the schedule existed. */
  doneUntil: string;
  /** The last due time that was run; null: none yet. */
  lastDueAt: string | null;
  /** When it was run. Later than `lastDueAt` after an outage. */
  lastRunAt: string | null;
  /** Case of the last alert; null for feeds. */
  lastCaseId: string | null;
  /** Start of the current failure; null: the last attempt succeeded. */
  failingSince: string | null;
  /** Reason of the current failure. */
  problem: string | null;
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
