import { leftOut } from './tools/jest/outside-programs.mjs';
import { SWC_OPTIONS } from './tools/swc-options.mjs';

/** One configuration for the whole house; `npm run jest -- libs/queue` runs a part. */
export default {
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts', '**/*.spec.mjs'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...leftOut().flatMap(({ files }) => files)],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironmentOptions: { customExportConditions: ['@casefile/source', 'node', 'node-addons'] },
  // `./x.js` is `./x.ts` in source; packages' own `./x.json.js` is what it says.
  moduleNameMapper: { '^(\\.{1,2}/(?!.*\\.json\\.js$).*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', SWC_OPTIONS] },
  globalSetup: '<rootDir>/tools/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.mjs',
  // A limit for what hangs, not for what is slow: the machine may be busy.
  testTimeout: 300_000,
  maxWorkers: 2,
  // Modules of ended specs are never freed: a worker of 4 GB stops for seconds to collect garbage, and connections time out.
  workerIdleMemoryLimit: '1GB',
};
