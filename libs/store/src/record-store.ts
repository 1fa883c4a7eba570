import type {
  Budgets,
  CallShares,
  CaseReader,
  CaseStore,
  EngagementSessions,
  PolicyDocuments,
  ProviderStates,
  ScamPatterns,
  ScamReports,
} from '@casefile/contracts';

/** The record: what the flow writes, what people read, how providers do, the scam database, what is known of scams, and policies. */
export interface RecordStore
  extends
    CaseStore,
    CaseReader,
    ProviderStates,
    CallShares,
    Budgets,
    ScamReports,
    ScamPatterns,
    PolicyDocuments,
    EngagementSessions {}
