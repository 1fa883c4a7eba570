// Paths that code composes, as small trees that are evaluated later: `new URL('./x.md', import.meta.url)`,
// `join(ROOT, 'docs', name)`. Nodes: ['text', t], ['any'], ['here'], ['root'], ['ref', name], ['cat', ...],
// ['up', x], ['join', ...], ['url', path, base] and ['built', x].
import { posix } from 'node:path';

const ANY = ['any'];
const HERE = ['here'];
const ROOT = ['root'];
/** Functions and properties that return the same path in another form. */
const SAME = new Set(['fileURLToPath', 'pathToFileURL', 'String', 'normalize', 'realpathSync']);
const SAME_MEMBERS = new Set(['href', 'pathname']);
const SAME_METHODS = new Set(['toString', 'replace', 'replaceAll']);
const JOINS = new Set(['join', 'resolve']);

/**
 * Returns the path that an expression composes, or null if the expression composes none.
 * @param {object} node ESTree expression
 * @param {Map<string, unknown[]>} known paths of the constants of the enclosing function
 */
export function composedPath(node, known) {
  switch (node?.type) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'AwaitExpression':
    case 'ParenthesizedExpression':
      return composedPath(node.expression ?? node.argument, known);
    case 'Identifier':
      return known.get(node.name) ?? ['ref', node.name];
    case 'TemplateLiteral':
      return anchored(['cat', ...templateParts(node, known)]);
    case 'BinaryExpression':
      return node.operator === '+'
        ? anchored(['cat', part(node.left, known), part(node.right, known)])
        : null;
    case 'NewExpression':
      return isNamed(node.callee, 'URL') ? urlPath(node.arguments, known) : null;
    case 'MemberExpression':
      return memberPath(node, known);
    case 'CallExpression':
      return callPath(node, known);
    default:
      return null;
  }
}

/** Returns a string or template as a pattern in which `*` stands for what is not known, or null. */
export function writtenPattern(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return null;
  return node.quasis.map(({ value }) => value.cooked ?? '').join('*');
}

/**
 * Returns a path from the root of the tree, in which `*` stands for what is not known, or null if the path
 * does not start at a known place.
 * @param {(name: string) => string | null} refer returns the path of a constant
 */
export function evaluatePath(path, file, refer) {
  const value = (tree) => {
    const [kind, ...parts] = tree;
    if (kind === 'here') return file;
    if (kind === 'root') return '';
    if (kind === 'text') return parts[0];
    if (kind === 'any') return '*';
    if (kind === 'ref') return refer(parts[0]) ?? '*';
    if (kind === 'built')
      return value(parts[0]).replace(/^((?:libs(?:\/kinds)?|apps)\/[^/]+)\/src\//, '$1/dist/');
    if (kind === 'up') return posix.dirname(value(parts[0]));
    if (kind === 'cat') return parts.map(value).join('');
    const [first, ...others] = kind === 'url' ? parts.reverse() : parts;
    const start = kind === 'url' ? folderOf(value(first)) : value(first);
    return normal([start, ...others.map(value)].filter((one) => one !== '').join('/'));
  };
  const result = normal(value(path));
  return result.startsWith('..') || result.startsWith('/') ? null : result;
}

function normal(path) {
  const result = posix.normalize(path.replace(/\*+/g, '*'));
  return result === '.' || result === './' ? '' : result;
}

function folderOf(path) {
  return path === '' || path.endsWith('/') ? path.slice(0, -1) : posix.dirname(path);
}

function memberPath(node, known) {
  if (isMeta(node.object)) {
    if (isNamed(node.property, 'dirname')) return ['up', HERE];
    return isNamed(node.property, 'url') || isNamed(node.property, 'filename') ? HERE : null;
  }
  return SAME_MEMBERS.has(node.property?.name) ? anchored(part(node.object, known)) : null;
}

function callPath({ callee, arguments: args }, known) {
  const isMethod = callee.type === 'MemberExpression';
  const name = isMethod ? callee.property?.name : callee.name;
  if (isMethod && isNamed(callee.object, 'process') && name === 'cwd') return ROOT;
  if (isMethod && SAME_METHODS.has(name)) return anchored(part(callee.object, known));
  if (SAME.has(name)) return anchored(part(args[0], known));
  if (name === 'dirname') return anchored(['up', part(args[0], known)]);
  if (JOINS.has(name) && args.length > 0 && (!isMethod || /^(?:path|posix)$/.test(callee.object.name)))
    return anchored(['join', ...args.map((argument) => part(argument, known))]);
  if (name === 'builtModule') return ['built', urlPath(args, known)];
  // `register('./x.mjs', import.meta.url)`.
  return args.length === 2 && memberPath(args[1], known) === HERE ? urlPath(args, known) : null;
}

function urlPath([path, base], known) {
  return base === undefined ? null : anchored(['url', part(path, known), part(base, known)]);
}

function part(node, known) {
  const text = node?.type === 'Literal' ? writtenPattern(node) : null;
  if (text !== null) return ['text', text];
  if (node?.type === 'TemplateLiteral') return ['cat', ...templateParts(node, known)];
  return composedPath(node, known) ?? ANY;
}

function templateParts({ quasis, expressions }, known) {
  return quasis.flatMap(({ value }, at) => [
    ...(value.cooked ? [['text', value.cooked]] : []),
    ...(at < expressions.length ? [part(expressions[at], known)] : []),
  ]);
}

/** Null for a composition of texts alone: `join('a', 'b')` and `${a}:${b}` are no paths of the tree. */
function anchored(path) {
  return startsAtPlace(path) ? path : null;
}

function startsAtPlace([kind, ...parts]) {
  if (kind === 'here' || kind === 'root' || kind === 'ref') return true;
  if (kind === 'url') return startsAtPlace(parts[1]);
  if (kind === 'join' && parts[0]?.[0] === 'any') return parts.length > 1;
  return (kind === 'up' || kind === 'cat' || kind === 'join') && parts.length > 0 && startsAtPlace(parts[0]);
}

function isMeta(node) {
  return node?.type === 'MetaProperty' && node.meta.name === 'import';
}

function isNamed(node, name) {
  return node?.type === 'Identifier' && node.name === name;
}
