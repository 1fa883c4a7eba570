import type { ModelProbeFigures } from '../ops-api-providers.js';

/** What a process reports of itself. */
export interface ProcessReport {
  id: string;
  /** Names of the services that it hosts. */
  services: readonly string[];
  /** Of Casefile. */
  version: string;
  host: string;
  pid: number;
  /** Digest of the settings that all services of an installation share. */
  settingsDigest: string;
  /** Digest of the installation as this process sees it; null: it asks no models. */
  installationDigest: string | null;
  /** Whether the configured models answer; empty: not asked. */
  probes: readonly ModelProbeFigures[];
}

/** A process as the record knows it. */
export interface ProcessState extends ProcessReport {
  startedAt: string;
  seenAt: string;
  /** When its settings or installation changed last: its start, if they never did. */
  changedAt: string;
  /** Milliseconds since its last report. */
  silentMs: number;
  /** When it stopped in order; null: it did not. */
  stoppedAt: string | null;
}

/** The processes of an installation, by their heartbeats. Time is the store's own. */
export interface Processes {
  /** Writes the process's row, and removes rows of processes that have been silent for a week. */
  report(report: ProcessReport): Promise<void>;
  /** Notes that the process has stopped in order. */
  stopped(id: string): Promise<void>;
  /** Every process of the last week, the one that reported last first. */
  list(): Promise<ProcessState[]>;
}
