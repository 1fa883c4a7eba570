import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import * as kit from '../index.js';
import { PROVIDED, type KindHooks } from './kind-hooks.js';

/**
 * Makes this copy of the kit and of the schema library available to the modules of a folder, and loads the TypeScript of
 * the folder.
 * @param more further modules, by specifier. Default: none.
 */
export function provideKit(folder: string, more: Readonly<Record<string, object>> = {}): void {
  const provided: Record<string, object> = {
    '@casefile/kit': { ...kit },
    zod: { ...kit.z, z: kit.z, default: kit.z },
    ...more,
  };
  (globalThis as { [name: symbol]: unknown })[Symbol.for(PROVIDED)] = provided;
  const data: KindHooks = {
    folder: `${pathToFileURL(folder).href}/`,
    provided: Object.fromEntries(Object.entries(provided).map(([name, own]) => [name, Object.keys(own)])),
  };
  register('./kind-hooks.js', import.meta.url, { data });
}
