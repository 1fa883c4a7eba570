import type { ModelProbeFigures } from '../ops-api-providers.js';

/** The report of a process about itself. */
export interface ProcessReport {
  id: string;
  /** Names of the services that it hosts. */
  services: readonly string[];
  /** Version of Casefile. */
  version: string;
  host: string;
  pid: number;
  /** Digest of the settings that all services of an installation share. */
  settingsDigest: string;
  /** Digest of the installation as this process sees it. null: the process calls no models. */
  installationDigest: string | null;
  /** Results of probing the configured models. Empty: not probed. */
  probes: readonly ModelProbeFigures[];
  /**
   * Age of its copy of flags, experiments and prompt versions, in milliseconds. null: it has read none yet.
   */
  rolloutAgeMs: number | null;
}

/** A process on the record. */
export interface ProcessState extends ProcessReport {
  startedAt: string;
  seenAt: string;
  /** Time of the last change of its settings or installation. Initially the start time. */
  changedAt: string;
  /** Milliseconds since its last report. */
  silentMs: number;
  /** Time of an orderly shutdown. null: there was none. */
  stoppedAt: string | null;
}

/** The processes of an installation, known from their heartbeats. Time is the store's own clock. */
export interface Processes {
  /** Writes the process's row, and removes rows of processes that have been silent for a week. */
  report(report: ProcessReport): Promise<void>;
  /** Records an orderly shutdown of the process. */
  stopped(id: string): Promise<void>;
  /** Returns every process that reported in the last week, the most recent report first. */
  list(): Promise<ProcessState[]>;
}
