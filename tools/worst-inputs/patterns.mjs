// Every regular expression of the code, found by the TypeScript compiler, so that nobody has to keep a list of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mjs';

const LEFT_OUT = /\.spec\.ts$|\.d\.ts$|\/testing\/|^apps\/(?:e2e|bench)\//;
const READING = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
const LET_BE = /eslint-disable-next-line regexp\//;

/** Source files of libraries and apps, without tests: paths from the root. */
export function sourceFiles() {
  const projects = ['libs', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => `${kind}/${name}/src`),
  );
  const all = projects.flatMap((src) =>
    existsSync(join(root, src))
      ? readdirSync(join(root, src), { recursive: true }).map((path) => `${src}/${path}`)
      : [],
  );
  return all.filter((path) => /\.tsx?$/.test(path) && !LEFT_OUT.test(path)).sort();
}

/**
 * The patterns that a file writes down, as `{ source, flags, line }`, and the lines on which it makes one of a text.
 * Left out: what a comment lets be for the bound of its input, which lint asks for.
 */
export function patternsIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const file = ts.createSourceFile(path, text, READING);
  const lines = text.split('\n');
  const literals = [];
  const made = [];
  const visit = (node) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral && !LET_BE.test(lines[line - 2] ?? '')) {
      const end = node.text.lastIndexOf('/');
      literals.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), line });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp')
      made.push({ line, letBe: LET_BE.test(node.getText(file)) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { literals, made };
}

/**
 * Notes each pattern that is made of a text while code runs: by file, those made there. Call it before anything is
 * imported, for many are made at once.
 */
export function watchMadePatterns() {
  const made = new Map();
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args, newTarget) {
      const pattern = Reflect.construct(target, args, newTarget);
      const at = /(?:libs|apps)\/[^\s:()]+\.tsx?$/.exec(callingFile());
      const known = made.get(at?.[0]) ?? [];
      if (at !== null) made.set(at[0], known);
      known.push(pattern);
      return pattern;
    },
  });
  return made;
}

/** The file that made the pattern: the first on the stack but this one. Asked of V8, for a text of the stack is slow to make. */
function callingFile() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 4;
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => String(site.getFileName()));
  const files = new Error('here').stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return files.find((file) => !file.endsWith('worst-inputs/patterns.mjs')) ?? '';
}
