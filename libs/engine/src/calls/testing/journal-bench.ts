import {
  noTelemetry,
  silentLogger,
  type CasefileError,
  type Interaction,
  type LanguageModel,
  type ModelRequest,
  type ModelResponse,
  type ModelUsage,
  type ReasoningSwitch,
  type RunSettings,
} from '@casefile/contracts';
import { aRunSettings, countingIds, manualClock } from '@casefile/contracts/testing';
import type { ThoughtsText } from '@casefile/pipeline';
import { NO_BUDGETS, type BudgetSettings } from '../budget-settings.js';
import { Journal, type SharedCalls } from '../journal.js';
import type { Intent, JournaledWork } from '../stage-call.js';
import { requestHash } from '../interaction-record.js';
import type { AttemptLimits } from '../attempt-policy.js';
import { OneModel, plainModel, type ModelCandidate, type ModelPlan, type RunModels } from '../model-plan.js';

export const aQuestion: ModelRequest = {
  promptId: 'p@1',
  kind: 'answer',
  messages: [{ role: 'user', content: 'hm?' }],
  maxOutputTokens: 10,
};

const USAGE: ModelUsage = { inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cachedTokens: 0 };

export function anAnswer(over: Partial<ModelResponse> = {}): ModelResponse {
  const defaults = {
    content: 'yes',
    toolCalls: [],
    finishReason: 'stop',
    reasoning: null,
    raw: {},
    costUsd: 0.1,
  };
  return { provider: 'fake', model: 'm', ...defaults, usage: USAGE, ...over };
}

/** Returns a stage's work with these recorded model calls. */
export function aWork(
  interactions: Partial<Interaction>[] = [],
  settings: Partial<RunSettings> = {},
): JournaledWork {
  const draw = { seed: 'recorded', deadlineAt: 123 };
  const defaults = {
    step: 1,
    attempt: 1,
    draw,
    requestHash: requestHash(aQuestion),
    provider: 'fake',
    model: 'm',
  };
  const rows = interactions.map((row) => ({ ...defaults, toolCalls: [], response: null, ...row }));
  const key = { runId: 'r', unit: '', stage: 'reason', round: 1 };
  const frozen = aRunSettings(settings);
  return { key, caseId: 'c', lane: 'live', settings: frozen, interactions: rows as Interaction[] };
}

/** Returns ports shared by all calls that limit nothing and never fail. */
export function freeCalls(): SharedCalls {
  return {
    circuits: {
      permit: async () => ({ goes: true as const }),
      succeeded: async () => undefined,
      failed: async () => undefined,
    },
    limiter: { enter: async () => () => undefined },
    standstill: { mark: () => 0, since: () => 0 },
    attempts: { attempts: 3, firstWaitMs: 100, longestWaitMs: 5_000 },
    retries: { earn: () => undefined, take: () => true },
    sleep: async () => undefined,
    budgets: NO_BUDGETS,
  };
}

type Complete = LanguageModel['complete'];

export interface BenchOptions {
  work?: JournaledWork;
  /** Models by provider, in the order of asking. `cheaper` is asked if the budget is short. */
  models?: Record<string, Complete>;
  cheaper?: Complete;
  /** Model for questions of the level `low`. */
  low?: Complete;
  enableReasoning?: boolean;
  thinkAloud?: ThoughtsText;
  /** Reasoning setting of the provider's entry. */
  reasoning?: ReasoningSwitch;
  /** Called before an intent counts as written; may throw. false: the lease is stale. */
  intend?: (intent: Intent) => boolean;
  circuits?: Partial<SharedCalls['circuits']>;
  limiter?: SharedCalls['limiter'];
  /** Milliseconds in which the process stands still during each call. Default: 0. */
  standsStillMs?: number;
  attempts?: Partial<AttemptLimits>;
  /** Whether a retry is allowed. */
  retry?: () => boolean;
  budgets?: BudgetSettings;
  deadlinePauseMs?: number;
  worstCase?: ModelCandidate['worstCase'];
  stop?: AbortController;
}

/** Returns a journal with fake ports. Its clock moves only during waits. */
export function journalBench(options: BenchOptions = {}) {
  const { work = aWork(), models = { fake: async () => anAnswer() }, stop = new AbortController() } = options;
  const clock = manualClock();
  const intents: Intent[] = [];
  const calls: string[] = [];
  const requests: ModelRequest[] = [];
  const waits: number[] = [];
  const failed: CasefileError[] = [];
  const earned: string[] = [];
  const way = (
    provider: string,
    model: string,
    complete: Complete,
    route: ModelCandidate['route'],
  ): ModelCandidate => {
    const languageModel: LanguageModel = {
      provider,
      model,
      complete: (request, call) => {
        calls.push(`${provider} ${call.callKey}`);
        requests.push(request);
        return complete(request, call);
      },
    };
    const plain = plainModel(languageModel);
    const { enableReasoning = false, worstCase = plain.worstCase, reasoning } = options;
    const switched = reasoning === undefined ? {} : { reasoning };
    return { ...plain, enableReasoning, ...switched, worstCase, route };
  };
  const names = Object.entries(models);
  const route: ModelPlan = {
    ways: names.map(([name, complete], i) => way(name, 'm', complete, i === 0 ? 'first' : 'fallback')),
    cheaper: options.cheaper === undefined ? null : way('fake', 'm-small', options.cheaper, 'cheaper'),
    low: options.low === undefined ? null : way('fake', 'm-low', options.low, 'first'),
  };
  const intend = async (intent: Intent) => {
    const isLeaseHeld = options.intend?.(intent) ?? true;
    intents.push(intent);
    return isLeaseHeld;
  };
  const free = freeCalls();
  const circuits = {
    ...free.circuits,
    failed: async (_provider: string, error: CasefileError) => void failed.push(error),
    ...options.circuits,
  };
  const journal = new Journal(
    work,
    {
      intend,
      route: names.length === 0 ? null : route,
      clock,
      ids: countingIds(),
      log: silentLogger,
      telemetry: noTelemetry,
      calls: {
        budgets: options.budgets ?? NO_BUDGETS,
        circuits,
        attempts: { ...free.attempts, ...options.attempts },
        retries: { earn: (provider) => void earned.push(provider), take: options.retry ?? free.retries.take },
        limiter: options.limiter ?? free.limiter,
        standstill: { mark: () => 0, since: () => options.standsStillMs ?? 0 },
        sleep: async (ms) => {
          waits.push(ms);
          clock.advance(ms);
        },
      },
      deadlinePauseMs: options.deadlinePauseMs ?? 0,
      thinkAloud: () => options.thinkAloud,
    },
    stop.signal,
  );
  return { journal, intents, calls, requests, waits, failed, earned, clock, stop };
}

/** Returns models of which each run has this one, whatever its settings. */
export function alwaysModel(model: LanguageModel | null): RunModels {
  return { routeOf: () => new OneModel(model).routeOf({ provider: 'any' }) };
}
