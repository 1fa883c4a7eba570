// Jest's environment without a separate context: specs run in the process itself, see native-runner.mjs.
import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { recordUsage, usageNow } from './usage.mjs';
import { useWorkerPostgres } from './worker-postgres.mjs';

/**
 * The same key as in libs/contracts/src/testing/temporary-folder.ts, which is TypeScript and cannot be
 * imported here.
 */
const FOLDERS = Symbol.for('casefile.temporaryFolders');

export default class NativeEnvironment {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  #env = { ...process.env };
  #console = console;
  #exit = process.exit;
  #file;
  #postgres = null;
  #before = null;

  constructor({ projectConfig }, { testPath }) {
    this.#file = relative(projectConfig.rootDir, testPath);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return [];
  }

  async setup() {
    this.#postgres = await useWorkerPostgres();
    this.#env = { ...process.env };
    this.#before = usageNow(this.#postgres);
  }

  /** Undoes the changes of a spec file to the process, and removes its temporary folders. */
  async teardown() {
    this.fakeTimersModern.dispose();
    for (const folder of globalThis[FOLDERS] ?? [])
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    globalThis[FOLDERS]?.clear();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    recordUsage(this.#file, this.#before, this.#postgres);
  }
}
