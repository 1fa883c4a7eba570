// Runs a spec with jest-circus, but lets Node import it. A module is then loaded once for all specs of a
// worker, while Jest would load it again for each. No spec mocks a module or depends on a fresh one.
import asyncHooks from 'node:async_hooks';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const circus = require.resolve('jest-circus/runner');
register('./source-hooks.mjs', import.meta.url);
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
let loaded = 0;

export default async function runSpec(globalConfig, config, environment, runtime, path, report) {
  const { default: run } = require(circus);
  const timers = environment.fakeTimersModern;
  const mocks = environment.moduleMocker;
  const native = {
    requireInternalModule: (file) => {
      // Loaded again for each spec, because this module keeps the list of tests.
      delete require.cache[file];
      delete globalThis[Symbol.for('EVENT_HANDLERS')];
      delete globalThis[TIMEOUT];
      return inSharedContext(() => require(file));
    },
    requireModule: (file) => require(file),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (file) => import(`${pathToFileURL(file).href}?${(loaded += 1)}`),
    setGlobalsForRuntime: (globals) =>
      Object.assign(globalThis, globals, { jest: jestObject(timers, mocks) }),
    enterTestCode() {},
    leaveTestCode() {},
  };
  delete Error.prepareStackTrace;
  process.setSourceMapsEnabled(true);
  return run(globalConfig, config, environment, native, path, report);
}

const context = new asyncHooks.AsyncLocalStorage();

/** A context within the shared one. It cannot see the values of other contexts. */
class SharedContext {
  run(store, ...call) {
    return context.run({ owner: this, store }, ...call);
  }

  getStore() {
    const entry = context.getStore();
    return entry?.owner === this ? entry.store : undefined;
  }
}

/**
 * Modules that are loaded repeatedly get no context of their own. Each context would stay, and would be
 * notified of every promise of later specs.
 */
function inSharedContext(load) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = SharedContext;
  try {
    return load();
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

// The parts of `jest` that the specs use.
function jestObject(timers, mocks) {
  return {
    setTimeout: (ms) => void (globalThis[TIMEOUT] = ms),
    fn: mocks.fn.bind(mocks),
    spyOn: mocks.spyOn.bind(mocks),
    useFakeTimers: (options) => timers.useFakeTimers(options),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  };
}
