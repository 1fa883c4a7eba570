import { leftOut } from './tools/jest/outside-programs.mjs';

/** `fast`: all specs but those below folders named `whole`. `whole`: these alone. Otherwise both. */
const tier = process.env.CASEFILE_TIER;
const below = tier === 'whole' ? '**/whole/**' : '**';

/** One configuration for the repository; `npm run jest -- libs/queue` runs a part. */
export default {
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
  testMatch: [`${below}/*.spec.ts`, `${below}/*.spec.mjs`],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/dist/',
    ...(tier === 'fast' ? ['/whole/'] : []),
    ...leftOut().flatMap(({ files }) => files),
  ],
  modulePathIgnorePatterns: ['/dist/'],
  // Specs and what they import are loaded by Node itself, once a worker: see native-runner.mjs.
  testEnvironment: '<rootDir>/tools/jest/native-environment.mjs',
  testRunner: '<rootDir>/tools/jest/native-runner.mjs',
  transform: {},
  testSequencer: '<rootDir>/tools/jest/slow-first.mjs',
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  // For a test that hangs while it computes. What waits, waits by `until`, for at most 60 s.
  testTimeout: 180_000,
  // On two cores: what kills processes waits most of its time.
  maxWorkers: 3,
  // On a busy machine a worker needs more than the default of half a second to end.
  workerGracefulExitTimeout: 10_000,
  workerIdleMemoryLimit: '2GB',
};
