import { sleep, type RunSettings } from '@casefile/contracts';
import type { ExecutorPorts } from '../executor/stage-executor.js';
import { plainModel, routeOver } from '../models/model-plan.js';
import { ProviderCircuits, type CircuitLimits } from '../models/provider-circuits.js';
import { ProviderLimiter } from '../models/provider-limiter.js';
import { RetryBudget } from '../models/retry-budget.js';
import type { CallSettings } from '../config/budget-settings.js';
import type { Adapters } from './platform.js';

const REFRESH_MS = 1_000;
const PROBE_MS = 30_000;

/** What the executor needs to call models: the ways of a run, and what all calls of this process share. */
export function modelCalls(adapters: Adapters): Pick<ExecutorPorts, 'routeOf' | 'calls'> {
  const { config, store, clock, log, telemetry, ids } = adapters;
  const { calls, budgets } = config.settings;
  const { attempts, firstWaitMs, longestWaitMs } = calls;
  return {
    routeOf: routesOf(adapters),
    calls: {
      circuits: new ProviderCircuits({ store, clock, log, telemetry }, circuitLimits(calls)),
      limiter: new ProviderLimiter({ store, clock, log, holder: ids.id(), sleep }),
      attempts: { attempts, firstWaitMs, longestWaitMs },
      retries: new RetryBudget(clock, { share: calls.retryShare, reserve: calls.retryReserve }),
      budgets,
      sleep,
    },
  };
}

function routesOf({ model, models, config }: Adapters): ExecutorPorts['routeOf'] {
  const { provider } = config;
  const own = provider === null ? null : models?.model(provider.entry.name, provider.entry.model);
  // Each run is served by the provider and models that it was frozen with, also where the first provider is none.
  if (models !== undefined && (own?.model ?? null) === model) return (settings) => models.routeOf(settings);
  const route = model === null ? null : routeOver(plainModel(model));
  return (settings: RunSettings) => (settings.provider === 'none' ? null : route);
}

function circuitLimits({ circuit }: CallSettings): CircuitLimits {
  return {
    openAfter: circuit.openAfter,
    openMs: circuit.openSeconds * 1000,
    pauseMs: circuit.pauseSeconds * 1000,
    maxOpenMs: circuit.longestSeconds * 1000,
    probeMs: PROBE_MS,
    refreshMs: REFRESH_MS,
  };
}
