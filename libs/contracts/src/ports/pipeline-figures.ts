import type { Lane } from '../job.js';

/** What one stage or tool did of late in one lane. */
export interface WorkDone {
  name: string;
  lane: Lane;
  /** Ended well in the last minute. */
  doneLastMinute: number;
  /** Failures in the last hour: tries that failed, runs stopped or put in quarantine, tool calls without an answer. */
  failedLastHour: number;
}

/** What one model did in the last 24 hours. */
export interface ModelSpend {
  provider: string;
  model: string;
  calls: number;
  /** Input and output together. */
  tokens: number;
  /** Sum of what is known, in US dollars. */
  costUsd: number;
}

/** Verdicts of the last hour. */
export interface VerdictFigures {
  lastHour: number;
  byDisposition: Record<string, number>;
  /** Part of them that is degraded, 0..1; null without verdicts. */
  fallbackRate: number | null;
  /** Part of them that was left to a person (`review`), 0..1; null without verdicts. */
  abstainRate: number | null;
}

/** What the pipeline did of late, read off the record. */
export interface PipelineFigures {
  stages: WorkDone[];
  tools: WorkDone[];
  /** May be some seconds old. */
  models: ModelSpend[];
  verdicts: VerdictFigures;
  deadLetters: number;
}
