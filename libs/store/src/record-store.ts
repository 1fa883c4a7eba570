import type {
  Budgets,
  CallShares,
  CaseReader,
  CaseStore,
  EngagementSessions,
  ProviderStates,
  ScamPatterns,
  ScamReports,
} from '@casefile/contracts';

/** The record: what the flow writes, what people read, how providers do, the scam database and what is known of scams. */
export interface RecordStore
  extends
    CaseStore,
    CaseReader,
    ProviderStates,
    CallShares,
    Budgets,
    ScamReports,
    ScamPatterns,
    EngagementSessions {}
