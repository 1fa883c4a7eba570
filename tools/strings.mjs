// `npm run strings`: writes the golden list of the strings that a person reads in the console and the command
// line. `npm run strings -- --print api|errors|screen` prints one scope instead, for a review.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { sourceFiles } from './house-figures.mjs';
import { root } from './root.mjs';

/** The golden list, with one heading per file and one line per string. */
export const GOLDEN = join(root, 'tools/strings.golden.txt');

/** Strings of the console in English, by key. The files of other languages are next to it. */
export const CONSOLE_STRINGS = 'apps/dashboard/src/strings/en.json';

const SCOPES = {
  screen: {
    files: /^apps\/(?:dashboard|cli)\/src\/|^libs\/kinds\/[^/]+\/src\/command-line\/|^libs\/kit\/src\//,
    keeps: isOnScreen,
  },
  api: {
    files: /^apps\/console\/src\/|^libs\/contracts\/src\/|^libs\/runtime\/src\/(?:intake|openapi|nest)\//,
    keeps: isDescription,
  },
  errors: { files: /^(?:libs|apps\/(?:console|ingest|reasoner|decision))\//, keeps: isMessage },
};

/** JSX attributes whose value a program reads. */
const MACHINE_ATTRIBUTES =
  /^(?:className|path|loading|dir|id|key|type|role|rel|target|href|to|name|htmlFor|method|viewBox|d|fill|stroke.*|points|transform|data-.*|aria-(?:hidden|expanded|live|current|describedby|labelledby|controls|haspopup|sort)|xmlns|width|height|on[A-Z].*|style|autoComplete|inputMode|accept|scope|tone|kind|as)$/;
const MACHINE_CALLS =
  /^(?:querySelector(?:All)?|fetch|setAttribute|getItem|setItem|addEventListener|matches|closest|import)$/;

/**
 * Returns the strings of one scope as lines: a heading per file, then the file's strings in the order of the
 * text. An expression within a string is written as `{}`, a nested element as `<>`.
 *
 * @param {keyof typeof SCOPES} scope
 * @returns {string}
 */
export function stringsOfScope(scope, files = sourceFiles()) {
  const { files: pattern, keeps } = SCOPES[scope];
  const listed = files.filter((file) => pattern.test(file)).sort();
  const texts = listed.map((file) => [
    file,
    stringsInFile(file, readFileSync(join(root, file), 'utf8'), keeps),
  ]);
  if (scope === 'screen')
    texts.push([
      CONSOLE_STRINGS,
      Object.values(consoleStrings()).map((one) => one.replace(/\{\w+\}/g, '{}')),
    ]);
  return texts
    .filter(([, strings]) => strings.length > 0)
    .map(([file, strings]) => `# ${file}\n${strings.join('\n')}\n`)
    .join('\n');
}

/**
 * Returns the strings of the console in English, by key.
 *
 * @returns {Record<string, string>}
 */
export function consoleStrings() {
  return JSON.parse(readFileSync(join(root, CONSOLE_STRINGS), 'utf8'));
}

/**
 * Returns the calls that show a string of the console: its key, and the names of the values for its placeholders.
 *
 * @param {string} file its path, which says whether it contains JSX
 * @param {string} text
 * @returns {{ key: string, values: string[] }[]}
 */
export function shownStrings(file, text) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const shown = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && /^(?:t|rich|counted)$/.test(node.expression.getText())) {
      const [key, values] = node.arguments;
      if (ts.isStringLiteral(key)) shown.push({ key: key.text, values: valueNames(node, values) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return shown;
}

function valueNames(call, values) {
  if (call.expression.getText() === 'counted') return ['n'];
  if (values === undefined) return [];
  return values.properties.map(({ name }) => name.getText()).sort();
}

/**
 * Returns the strings of one file that a person reads, each once.
 *
 * @param {string} file its path, which says whether it contains JSX
 * @param {string} text
 * @param {(node: import('typescript').Node, text: string) => boolean} keeps
 */
export function stringsInFile(file, text, keeps = isOnScreen) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const strings = new Set();
  const visit = (node) => {
    const literalText = writtenText(node);
    const line = literalText?.replace(/\s+/g, ' ').trim() ?? '';
    if (/[a-z]/i.test(line.replaceAll('{}', '')) && keeps(node, line)) strings.add(line);
    // The parts of a concatenation are read as one string.
    if (!isConcatenation(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return [...strings];
}

function isConcatenation(node) {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    writtenText(node) !== null
  );
}

/** Returns the text of a literal, a template, a concatenation or the children of an element; null if none. */
function writtenText(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [writtenText(node.left), writtenText(node.right)];
    return left === null && right === null ? null : `${left ?? '{}'}${right ?? '{}'}`;
  }
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
    const hasText = node.children.some((child) => ts.isJsxText(child) && child.text.trim() !== '');
    return hasText ? node.children.map(childText).join('') : null;
  }
  return null;
}

function childText(child) {
  if (ts.isJsxText(child)) return child.text;
  if (!ts.isJsxExpression(child)) return '<>';
  return child.expression === undefined ? '' : (writtenText(child.expression) ?? '{}');
}

/**
 * Returns whether this is a text of the console or the command line, and not a name that programs compare.
 */
function isOnScreen(node, line) {
  if (isNeverRead(node)) return false;
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) return true;
  if (ts.isJsxAttribute(node.parent)) return !MACHINE_ATTRIBUTES.test(node.parent.name.getText());
  return /\S \S/.test(line) || /^[A-Z][a-z]+/.test(line);
}

/** Returns whether this is the argument of a call of `describe`, or the text of a documented route. */
function isDescription(node) {
  if (isNeverRead(node)) return false;
  const { parent } = node;
  if (ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression))
    return /^(?:describe|meta)$/.test(parent.expression.name.text);
  return /\S \S/.test(writtenText(node));
}

function isMessage(node, line) {
  return !isNeverRead(node) && !isDescribed(node) && /\S \S.* /.test(line);
}

function isDescribed(node) {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'describe'
  );
}

/**
 * Returns whether this is a module's name, a type, a property's name, or an argument that only a program
 * reads.
 */
function isNeverRead(node) {
  for (let at = node; at !== undefined; at = at.parent) {
    if (ts.isImportDeclaration(at) || ts.isExportDeclaration(at) || ts.isTypeNode(at)) return true;
    if (ts.isTaggedTemplateExpression(at)) return true;
    if (ts.isJsxAttribute(at) && MACHINE_ATTRIBUTES.test(at.name.getText())) return true;
    if (ts.isStatement(at)) break;
  }
  const { parent } = node;
  if (parent === undefined) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isElementAccessExpression(parent)) return true;
  if (ts.isCallExpression(parent)) {
    const called = ts.isPropertyAccessExpression(parent.expression)
      ? parent.expression.name
      : parent.expression;
    return MACHINE_CALLS.test(called.getText());
  }
  return false;
}

if (process.argv[1] === import.meta.filename || process.argv[1] === new URL(import.meta.url).pathname) {
  const at = process.argv.indexOf('--print');
  if (at < 0) writeFileSync(GOLDEN, stringsOfScope('screen'));
  else process.stdout.write(stringsOfScope(process.argv[at + 1]));
}
