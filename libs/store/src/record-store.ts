import type { CaseReader, CaseStore, ScamReports } from '@casefile/contracts';

/** The record: what the flow writes, what people read, and the scam database. */
export interface RecordStore extends CaseStore, CaseReader, ScamReports {}
