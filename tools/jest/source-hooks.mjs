// Module hooks of Node for the process that runs specs. They import the packages' sources (`./x.ts` for
// `./x.js`) and transpile TypeScript like the build does.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { SWC_OPTIONS } from '../swc-options.mjs';

const SOURCE = /\/(?:libs(?:\/kinds)?|apps)\/[^/]+\/src\//;

/** Resolves `./x.js` to `./x.ts` among the sources, and this repository's packages to their sources. */
export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js')) {
    for (const ending of ['.ts', '.tsx']) {
      const url = new URL(specifier.replace(/\.js$/, ending), context.parentURL);
      if (SOURCE.test(url.pathname) && existsSync(fileURLToPath(url)))
        return { url: url.href, format: 'module', shortCircuit: true };
    }
  }
  return next(specifier, { ...context, conditions: [...context.conditions, '@casefile/source'] });
}

/** Transpiles TypeScript. Node handles everything else. */
export async function load(url, context, next) {
  const [file] = url.split('?');
  if (!/\.tsx?$/.test(file)) return next(url, context);
  const { code } = await transformFile(fileURLToPath(file), SWC_OPTIONS);
  return { format: 'module', source: code, shortCircuit: true };
}
