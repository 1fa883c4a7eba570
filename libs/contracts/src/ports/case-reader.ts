import type { AlertImage } from '../artifacts/index.js';
import type { CaseDocument, CaseSummary, EventRecord, RunDocument } from '../record.js';
import type { JsonObject } from '../json.js';
import type { PipelineFigures, RoundFigures } from './pipeline-figures.js';

export interface CaseQuery {
  status?: string;
  playbook?: string;
  /** `outcome.action` of the newest run's verdict. */
  action?: string;
  lane?: string;
  /** Labelled set that the cases were judged for. Default: cases that belong to no labelled set. */
  dataset?: string;
  /** Field of the newest run's verdict, like the next two. */
  disposition?: string;
  method?: string;
  degraded?: boolean;
  /** Tool of which a look-up gave no answer in a decided run. */
  missing?: string;
  /** Words in the alert's text or the report. The last word may be a prefix. */
  q?: string;
  from?: string;
  to?: string;
  /** Default: `newest`. A cursor belongs to the order in which its page was listed. */
  order?: CaseOrder;
  cursor?: string;
  limit: number;
}

/** Times of the newest model calls of a kind of case. */
export interface CallTimes {
  playbook: string;
  /** Provider and model of the newest call. */
  provider: string;
  model: string;
  /** Time limit of the calls, in milliseconds. */
  deadlineMs: number;
  /** Number of calls that count, at most 20. */
  calls: number;
  /** Number of calls without an answer within the time limit. */
  late: number;
  /** Median time of a call. A call without an answer counts with the time at which it was ended. */
  medianMs: number;
}

/** A page of cases. */
export interface CasePage {
  items: CaseSummary[];
  nextCursor: string | null;
  /** ISO 8601. */
  searchableTo: string | null;
}

/** Read access to the record, for the console and the ops API. */
export interface CaseReader {
  /**
   * Returns a page of cases, newest first. `searchableTo` is the time of the first text whose words the search does not
   * find yet; null: it finds all, or the query has no words.
   * @throws InvalidInput for a cursor that this store did not create.
   */
  listCases(query: CaseQuery): Promise<CasePage>;
  getCase(caseId: string): Promise<CaseDocument | null>;
  /** Returns one run with everything on its record. */
  getRun(runId: string): Promise<RunDocument | null>;
  /** Returns the image of one alert. null: the alert has no image or does not belong to this case. */
  alertImage(caseId: string, alertId: string): Promise<AlertImage | null>;
  /**
   * Returns the events after `after` (null: from the beginning), oldest first. An event that a slower
   * transaction may still precede is not returned yet.
   */
  eventsAfter(after: string | null, limit: number): Promise<EventRecord[]>;
  /** Returns the id after which there are only future events. null: there are no events. */
  lastEventId(): Promise<string | null>;
  /** Returns recent metrics of the pipeline. */
  pipelineFigures(): Promise<PipelineFigures>;
  /** Returns how long the newest model calls of the last hour took, per kind of case whose calls have a deadline. */
  callTimes(): Promise<CallTimes[]>;
  /** Counts the units that wait for a worker, per stage. It counts at most `limit` units in all. */
  dueUnits(limit: number): Promise<{ stage: string; n: number }[]>;
  /** Returns statistics of the rounds of these playbooks. They may be some seconds old. */
  roundFigures(playbooks: readonly string[]): Promise<RoundFigures[]>;
  /** Returns whether there are no cases. */
  isEmpty(): Promise<boolean>;
  /**
   * Returns when the sender reported the newest occurrence of the case as resolved. null: not reported, or it
   * fires again.
   */
  resolvedAt(caseId: string): Promise<string | null>;
  /** Logs an action outside the record (on the queue board, for example) as the event `operator.<what>`. */
  noteOperatorAction(what: string, data: JsonObject): Promise<void>;
  /** Logs that a person or program read guarded content, as the event `record.read`. */
  noteReading(reading: RecordReading): Promise<void>;
}

/** Who read which address of the API. */
export interface RecordReading {
  by: string;
  /** Path without its query, which may hold words of a search. */
  path: string;
  /** The case in the path; null: it names none. */
  caseId: string | null;
} /** Orders of a list of cases, by the time at which they were opened. */
export const CASE_ORDERS = ['newest', 'oldest'] as const;
export type CaseOrder = (typeof CASE_ORDERS)[number];
