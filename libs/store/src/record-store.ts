import type {
  Batches,
  Budgets,
  CallShares,
  CaseReader,
  CaseStore,
  EngagementSessions,
  FeedbackBook,
  PromptSets,
  ProviderStates,
  ReusableAnswers,
  Signals,
  StoredResults,
  ToolPins,
} from '@casefile/contracts';

/** The record: what the flow writes, what people read, how providers do, and engagement sessions. */
export interface RecordStore
  extends
    CaseStore,
    CaseReader,
    ProviderStates,
    CallShares,
    Budgets,
    EngagementSessions,
    ToolPins,
    StoredResults,
    Batches,
    FeedbackBook,
    PromptSets,
    Signals,
    ReusableAnswers {}
