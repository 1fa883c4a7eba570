/** Every name that leaves the house in a metric, a span or an attribute. GenAI names: semantic conventions v1.41. */
export const METRICS = {
  stageDuration: 'casefile.stage.duration',
  stageRefused: 'casefile.stage.refused',
  stageFailed: 'casefile.stage.failed',
  stageStale: 'casefile.stage.stale',
  stepsReplayed: 'casefile.steps.replayed',
  stepsPaid: 'casefile.steps.paid',
  toolCalls: 'casefile.tool.calls',
  alertsAccepted: 'casefile.alerts.accepted',
  alertsRefused: 'casefile.alerts.refused',
  verdicts: 'casefile.verdicts',
  sweeperNudges: 'casefile.sweeper.nudges',
  storeFlushes: 'casefile.store.flushes',
  storeFlushedItems: 'casefile.store.flushed_items',
  queueJobs: 'casefile.queue.jobs',
  queueOldest: 'casefile.queue.oldest_age',
  runsUnfinished: 'casefile.runs.unfinished',
  circuitOpen: 'casefile.circuit.open',
  providerCircuit: 'casefile.provider.circuit',
  providerFallback: 'casefile.provider.fallback',
  budgetSoft: 'casefile.budget.soft',
  budgetRefused: 'casefile.budget.refused',
  httpDuration: 'casefile.http.duration',
  modelDuration: 'gen_ai.client.operation.duration',
  modelTokens: 'gen_ai.client.token.usage',
  modelCost: 'casefile.model.cost',
} as const;

/** Buckets in seconds for what is measured in time: stages are fast, models are not. */
export const BUCKETS = {
  fast: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  model: [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 45, 90, 180],
} as const;

export const SPANS = { stage: 'stage', tool: 'execute_tool', model: 'chat', accept: 'accept' } as const;

export const ATTRIBUTES = {
  stage: 'casefile.stage',
  runId: 'casefile.run_id',
  caseId: 'casefile.case_id',
  round: 'casefile.round',
  lane: 'casefile.lane',
  toolName: 'gen_ai.tool.name',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
} as const;

export const TRACER = 'casefile';
