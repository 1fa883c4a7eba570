import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Replacement } from './proof.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Returns a pattern for a text of the source that also matches it in transpiled and bundled code, where white
 * space and quotes differ.
 */
export function looseSource(find: string): string {
  const parts = find
    .trim()
    .split(/(\s+|['"`]|[^\w\s])/)
    .filter((part) => part.trim() !== '');
  return parts
    .map((part) => (/^['"`]$/.test(part) ? `['"\`]` : part.replace(/[^\w]/g, String.raw`\$&`)))
    .join(String.raw`\s*`);
}

/** Returns how often the text of a replacement occurs in its source file. */
export function occurrences({ file, find }: Replacement): number {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(new RegExp(looseSource(find), 'g'))].length;
}

/**
 * Returns options of Node with which a process loads its modules with these replacements. The index of each
 * replacement that changed a module is appended to the file `marks`, so that one without effect is noticed.
 */
export function mutationArgv(replacements: readonly Replacement[], marks: string): string[] {
  const hooks = `
    import { appendFileSync } from 'node:fs';
    let table = [];
    export const initialize = (given) => void (table = given.map(({ find, replace }) => [new RegExp(find, 'g'), replace]));
    export async function load(url, context, next) {
      const loaded = await next(url, context);
      if (loaded.format !== 'module' || !url.startsWith('file:') || url.includes('/node_modules/')) return loaded;
      if (url.includes('/apps/bench/')) return loaded;
      let source = String(loaded.source);
      for (const [i, [find, replace]] of table.entries()) {
        const before = source;
        source = source.replace(find, () => replace);
        if (source !== before) appendFileSync(${JSON.stringify(marks)}, i + '\\n');
      }
      return { ...loaded, source };
    }`;
  const table = replacements.map(({ find, replace }) => ({ find: looseSource(find), replace }));
  const preload = `
    import { register } from 'node:module';
    register(${JSON.stringify(dataUrl(hooks))}, { data: ${JSON.stringify(table)} });`;
  return ['--import', dataUrl(preload)];
}

const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
