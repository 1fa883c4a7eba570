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
  /** Cases that were judged to measure on this labelled set; left out: those that belong to none. */
  dataset?: string;
  /** Of the newest run's verdict, as are the next two. */
  disposition?: string;
  method?: string;
  degraded?: boolean;
  /** Words in the alert's text or the report; the last one may be a beginning. */
  q?: string;
  from?: string;
  to?: string;
  cursor?: string;
  limit: number;
}

/** The record, as people and the ops API read it. */
export interface CaseReader {
  /** Newest first. @throws InvalidInput for a cursor it did not make. */
  listCases(query: CaseQuery): Promise<{ items: CaseSummary[]; nextCursor: string | null }>;
  getCase(caseId: string): Promise<CaseDocument | null>;
  /** One run with everything on its record. */
  getRun(runId: string): Promise<RunDocument | null>;
  /** The image of one alert; null when it has none or is not of this case. */
  alertImage(caseId: string, alertId: string): Promise<AlertImage | null>;
  /** Events after `after` (null: from the beginning), oldest first; never one that a slower transaction may still precede. */
  eventsAfter(after: string | null, limit: number): Promise<EventRecord[]>;
  /** The id after which only events yet to come are. */
  lastEventId(): Promise<string | null>;
  /** What the pipeline did of late. */
  pipelineFigures(): Promise<PipelineFigures>;
  /** Counts units that wait for a worker, by stage: at most `limit` in all. */
  dueUnits(limit: number): Promise<{ stage: string; n: number }[]>;
  /** How the rounds of these kinds of case ended; may be some seconds old. */
  roundFigures(playbooks: readonly string[]): Promise<RoundFigures[]>;
  /** Are there any cases at all? */
  isEmpty(): Promise<boolean>;
  /** When the sender of a case's alerts said that its newest occurrence is over; null: it did not, or it fires again. */
  resolvedAt(caseId: string): Promise<string | null>;
  /** Tells in the event log, as `operator.<what>`, what people do outside the record: on the queue board, for example. */
  noteOperatorAction(what: string, data: JsonObject): Promise<void>;
}
