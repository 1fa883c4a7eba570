import type {
  Budgets,
  CallShares,
  CaseReader,
  CaseStore,
  ProviderStates,
  ScamReports,
} from '@casefile/contracts';

/** The record: what the flow writes, what people read, how providers do, and the scam database. */
export interface RecordStore
  extends CaseStore, CaseReader, ProviderStates, CallShares, Budgets, ScamReports {}
