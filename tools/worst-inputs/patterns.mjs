// Finds every regular expression of the code with the TypeScript compiler, so that no list has to be
// maintained.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mjs';

const EXCLUDED = /\.spec\.ts$|\.d\.ts$|\/testing\/|^apps\/(?:e2e|bench)\//;
const READING = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
/** Comments before a pattern whose input is bounded: for the linter, or for a pattern that the linter cannot read. */
const LET_BE = /eslint-disable-next-line regexp\/|\/\/ Bounded input:/;

/** Returns the source files of libraries and apps, without tests: paths from the root. */
export function sourceFiles() {
  const projects = ['libs', 'libs/kinds', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => `${kind}/${name}/src`),
  );
  const all = projects.flatMap((src) =>
    existsSync(join(root, src))
      ? readdirSync(join(root, src), { recursive: true }).map((path) => `${src}/${path}`)
      : [],
  );
  return all.filter((path) => /\.tsx?$/.test(path) && !EXCLUDED.test(path)).sort();
}

/**
 * Returns the literal patterns of a file as `{ source, flags, line }`, and the lines that build a pattern
 * from a text. Patterns with a lint comment stating that their input is bounded are omitted.
 */
export function patternsIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const file = ts.createSourceFile(path, text, READING);
  const lines = text.split('\n');
  const literals = [];
  const sites = [];
  const visit = (node) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral && !LET_BE.test(lines[line - 2] ?? '')) {
      const end = node.text.lastIndexOf('/');
      literals.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), line });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp')
      sites.push({ line, letBe: LET_BE.test(node.getText(file)) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { literals, sites };
}

/** Returns each source file with its patterns. */
export const patternFiles = () => sourceFiles().map((path) => ({ path, ...patternsIn(path) }));

/**
 * Records each pattern built from a text while code runs, by file. Call it before any import, because many
 * patterns are built at load time.
 */
export function watchBuiltPatterns() {
  const patternsByFile = new Map();
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args, newTarget) {
      const pattern = Reflect.construct(target, args, newTarget);
      const at = /(?:libs|apps)\/[^\s:()]+\.tsx?$/.exec(callingFile());
      const patterns = patternsByFile.get(at?.[0]) ?? [];
      if (at !== null) patternsByFile.set(at[0], patterns);
      patterns.push(pattern);
      return pattern;
    },
  });
  return patternsByFile;
}

/**
 * Returns the file that built the pattern: the first on the stack except this one. V8 is queried directly,
 * because the stack as text is slow.
 */
function callingFile() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 4;
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => String(site.getFileName()));
  const files = new Error('here').stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return files.find((file) => !file.endsWith('worst-inputs/patterns.mjs')) ?? '';
}
