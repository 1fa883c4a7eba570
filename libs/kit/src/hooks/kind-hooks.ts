// Module hooks of Node for kinds from outside. They run in the thread of hooks.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Data of the hooks of one kind. */
export interface KindHooks {
  /** URL of the kind's folder, with a slash at the end. */
  folder: string;
  /** Names that the program's own copies of packages export, by specifier. */
  provided: Readonly<Record<string, readonly string[]>>;
}

/** Name of the global symbol under which the program stores its copies of the kit and the schema library. */
export const PROVIDED = 'casefile-provided';
const SCHEME = `${PROVIDED}:`;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Data of all registrations: Node runs this module once. */
const registered: KindHooks[] = [];

export function initialize(data: KindHooks): void {
  registered.push(data);
}

/**
 * Resolves the kit and the schema library to the program's own copies, so that a kind never gets a second
 * copy, and `./x.js` to `./x.ts`. Packages in the kind's own node_modules are not changed.
 */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const hooks = ownerOf(context.parentURL);
  if (hooks === undefined) return next(specifier, context);
  if (Object.hasOwn(hooks.provided, specifier))
    return { url: `${SCHEME}${specifier}`, format: 'module', shortCircuit: true };
  if (specifier.startsWith('.') && specifier.endsWith('.js')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (!existsSync(new URL(specifier, context.parentURL)) && existsSync(source))
      return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
};

/** Loads the provided copies, and TypeScript of the kind without its types. */
export const load: LoadHook = async (url, context, next) => {
  if (url.startsWith(SCHEME)) {
    const specifier = url.slice(SCHEME.length);
    const provided = registered.find((hooks) => Object.hasOwn(hooks.provided, specifier))?.provided;
    const names = (provided?.[specifier] ?? []).filter((name) => IDENTIFIER.test(name));
    const own = `globalThis[Symbol.for(${JSON.stringify(PROVIDED)})][${JSON.stringify(specifier)}]`;
    // Names such as `enum` are exported under a local name.
    const lines = names.flatMap((name, i) => [
      `const v${i} = provided[${JSON.stringify(name)}];`,
      `export { v${i} as ${name} };`,
    ]);
    return {
      format: 'module',
      source: [`const provided = ${own};`, ...lines].join('\n'),
      shortCircuit: true,
    };
  }
  const [file = url] = url.split('?', 1);
  if (ownerOf(file) === undefined || !/\.m?ts$/.test(file)) return next(url, context);
  const path = fileURLToPath(file);
  const { default: ts } = await import('typescript');
  const { outputText } = ts.transpileModule(await readFile(path, 'utf8'), {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      inlineSourceMap: true,
      inlineSources: true,
    },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
};

/** Returns the data of the kind that a module belongs to; undefined: it belongs to none, or to a package of it. */
function ownerOf(url: string | undefined): KindHooks | undefined {
  return registered.find(
    ({ folder }) => url?.startsWith(folder) === true && !url.slice(folder.length).includes('node_modules/'),
  );
}
