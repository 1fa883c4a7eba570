export { configuredBudgets, counts } from './calls/budget-plan.js';
export {
  OneModel,
  type ModelCandidate,
  type ModelPlan,
  type PricedModel,
  type RunModels,
} from './calls/model-plan.js';
export { ProviderCircuits, type CircuitLimits } from './calls/provider-circuits.js';
export { ProviderLimiter } from './calls/provider-limiter.js';
export { RetryBudget } from './calls/retry-budget.js';
export {
  promptSet,
  StoredPrompts,
  textDigest,
  type InstalledPrompt,
  type LoadedPrompts,
} from './calls/stored-prompts.js';
export { Outbox, type VerdictRouter } from './delivery/outbox.js';
export { outwardMessage, type OutwardPorts } from './delivery/outward-message.js';
export type { ExecutorPorts } from './executor/executor-ports.js';
export { UnderWay } from './executor/hosted-stages.js';
export { Nudger } from './executor/nudger.js';
export { measureAppended } from './executor/stage-end.js';
export { StageExecutor } from './executor/stage-executor.js';
export { ToolExecutor } from './executor/tool-executor.js';
export { LeaseKeeper } from './leases/lease-keeper.js';
export { retryWhileStoreIsDown } from './leases/retry-while-store-is-down.js';
export { Recordings } from './rerun/recording.js';
export { MonthKeeper } from './sweep/month-keeper.js';
export { Sweeper, SWEEPER_LIMITS, wakeDue, type Chore } from './sweep/sweeper.js';
export { budgetSettingsSchema, NO_BUDGETS, type BudgetSettings } from './calls/budget-settings.js';
export type { ModelFeatures } from './calls/model-features.js';
