// Jest's environment without a separate context: specs run in the process itself, see native-runner.mjs.
import { rmSync } from 'node:fs';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

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

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return [];
  }

  async setup() {}

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
  }
}
