/** All emitted names of metrics, spans and attributes. GenAI names are those of `SCHEMA_URL`. */
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
  alertsIgnored: 'casefile.alerts.ignored',
  verdicts: 'casefile.verdicts',
  destinationAttempts: 'casefile.destination.attempts',
  armCases: 'casefile.arm.cases',
  stepBacks: 'casefile.step_backs',
  drafts: 'casefile.drafts',
  draftConfidence: 'casefile.draft.confidence',
  draftFallbacks: 'casefile.draft.fallbacks',
  unreadableAnswers: 'casefile.answers.unreadable',
  reviews: 'casefile.reviews',
  checkIterations: 'casefile.check.iterations',
  checkTokens: 'casefile.check.tokens',
  checkCost: 'casefile.check.cost',
  checkForcedEnds: 'casefile.check.forced_ends',
  checkAbstentions: 'casefile.check.abstentions',
  checkRefutedCitations: 'casefile.check.refuted_citations',
  checkCachedCalls: 'casefile.check.cached_calls',
  sweeperNudges: 'casefile.sweeper.nudges',
  storeFlushes: 'casefile.store.flushes',
  storeFlushedItems: 'casefile.store.flushed_items',
  queueJobs: 'casefile.queue.jobs',
  queueOldest: 'casefile.queue.oldest_age',
  runsUnfinished: 'casefile.runs.unfinished',
  circuitOpen: 'casefile.circuit.open',
  providerCircuit: 'casefile.provider.circuit',
  condition: 'casefile.condition',
  reviewsOverdue: 'casefile.reviews.overdue',
  providerFallback: 'casefile.provider.fallback',
  budgetSoft: 'casefile.budget.soft',
  budgetRefused: 'casefile.budget.refused',
  httpDuration: 'casefile.http.duration',
  eventLoopLag: 'casefile.event_loop.lag',
  replicaLag: 'casefile.replica.lag',
  buildInfo: 'casefile.build.info',
  modelDuration: 'gen_ai.client.operation.duration',
  modelTokens: 'gen_ai.client.token.usage',
  modelCost: 'casefile.model.cost',
} as const;

/** Histogram buckets in seconds. Stages are fast, models are slow. */
export const BUCKETS = {
  fast: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  model: [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 45, 90, 180],
  /** Recommended by the GenAI conventions. */
  tokens: Array.from({ length: 14 }, (_, i) => 4 ** i),
  /** Tokens per unit. The target is about 6,000. */
  checkTokens: [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 12_000, 20_000],
  /** US dollars per unit. The target is 0.05. */
  checkCost: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2],
  turns: Array.from({ length: 12 }, (_, i) => i + 1),
  /** From 0 to 1. */
  share: Array.from({ length: 10 }, (_, i) => (i + 1) / 10),
} as const;

export const SPANS = {
  stage: 'stage',
  tool: 'execute_tool',
  model: 'chat',
  accept: 'accept',
  label: 'label',
} as const;

export const EVENTS = { evaluation: 'gen_ai.evaluation.result' } as const;

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
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  outputType: 'gen_ai.output.type',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  evaluationName: 'gen_ai.evaluation.name',
  evaluationLabel: 'gen_ai.evaluation.score.label',
  evaluationScore: 'gen_ai.evaluation.score.value',
  errorType: 'error.type',
  promptId: 'casefile.prompt_id',
  promptName: 'gen_ai.prompt.name',
  promptVersion: 'gen_ai.prompt.version',
  hasReasoning: 'casefile.has_reasoning',
  costUsd: 'casefile.cost_usd',
  playbook: 'casefile.playbook',
} as const;

/** Provider names of the conventions, if they differ from those of our table. */
export const PROVIDER_NAMES: Record<string, string | undefined> = {
  gemini: 'gcp.gemini',
  grok: 'x_ai',
  'openai-responses': 'openai',
};

export const TRACER = 'casefile';

/**
 * Version of the GenAI conventions, as its own repository `semantic-conventions-genai` declares it in
 * `model/manifest.yaml`: a development version. In October 2026 it had no release.
 */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev';
