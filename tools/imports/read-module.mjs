// Reads one module: its imports and exports, and for each top-level declaration (unit) the names, the dynamic
// imports and the paths that the unit mentions. Types are left out, because they change no behaviour.
import { createHash } from 'node:crypto';
import { parseSync } from 'rolldown/utils';
import { composedPath, writtenPattern } from './path-expressions.mjs';

/** Raised when records get another form, so that no cached record of an older form is read. */
export const RECORD_FORM = 4;
/** The unit of all top-level statements that declare nothing: they run whenever the module is loaded. */
export const LOADING = '';
const TYPE_KEYS = new Set([
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'returnType',
  'implements',
]);
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);
const WRITTEN_PATH = /^(?=.*[./])[\w.@*/-]{3,200}$/;

/**
 * Returns the record of a module, which JSON can hold:
 * - `imports`: local name to [specifier, name]; the name `*` is the whole module
 * - `exports`: exported name to a local name, or to [specifier, name]
 * - `stars`: specifiers of `export *`
 * - `places`: constants whose value is a path, for other units and modules
 * - `units`: name to { digest, names, imports, paths, strings, hasPattern }
 */
export function readModule(file, text) {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const [imports, exports, places, units] = Array.from({ length: 4 }, () => Object.create(null));
  const record = { imports, exports, stars: [], places, units };
  const statements = program.body.flatMap((statement) => unwrapped(statement, record));
  for (const { node, names } of statements) {
    const unit = (record.units[names[0] ?? LOADING] ??= emptyUnit());
    unit.texts.push(withoutComments(text, node, comments));
    collect(node, unit, record, names);
    // `const [a, b] = ...` is one unit with several names.
    for (const name of names.slice(1)) record.units[name] = unit;
  }
  for (const unit of new Set(Object.values(record.units))) finish(unit, record);
  return record;
}

function emptyUnit() {
  return { texts: [], names: new Set(), imports: [], paths: [], strings: new Set() };
}

/** Writes imports and exports to the record. Returns the declarations of the statement with their names. */
function unwrapped(statement, record) {
  switch (statement.type) {
    case 'ImportDeclaration':
      return importNames(statement, record);
    case 'ExportAllDeclaration':
      if (statement.exportKind === 'type') return [];
      if (statement.exported) record.exports[statement.exported.name] = [statement.source.value, '*'];
      else record.stars.push(statement.source.value);
      return [];
    case 'ExportNamedDeclaration':
      return exportNames(statement, record);
    case 'ExportDefaultDeclaration': {
      const name = statement.declaration.id?.name ?? 'default';
      record.exports.default = name;
      return [{ node: statement.declaration, names: [name] }];
    }
    default:
      return declared(statement);
  }
}

function importNames({ importKind, source, specifiers, start, end }, record) {
  if (importKind === 'type') return [];
  if (specifiers.length === 0)
    return [{ node: { type: 'BareImport', source: source.value, start, end }, names: [] }];
  for (const one of specifiers) {
    if (one.importKind === 'type') continue;
    const name = { ImportDefaultSpecifier: 'default', ImportNamespaceSpecifier: '*' }[one.type];
    record.imports[one.local.name] = [source.value, name ?? nameOf(one.imported)];
  }
  return [];
}

function exportNames({ exportKind, declaration, source, specifiers }, record) {
  if (exportKind === 'type') return [];
  for (const one of specifiers) {
    if (one.exportKind === 'type') continue;
    const local = nameOf(one.local);
    record.exports[nameOf(one.exported)] = source ? [source.value, local] : local;
  }
  if (!declaration) return [];
  const declarations = declared(declaration);
  for (const { names } of declarations) for (const name of names) record.exports[name] = name;
  return declarations;
}

function declared(node) {
  if (node.declare || /^TS(?!EnumDeclaration)/.test(node.type)) return [];
  if (node.type === 'VariableDeclaration')
    return node.declarations.map((one) => ({ node: one, names: boundNames(one.id) }));
  const isDeclaration = /^(?:Function|Class|TSEnum)Declaration$/.test(node.type);
  return [{ node, names: isDeclaration ? [node.id.name] : [] }];
}

function boundNames(pattern) {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one) => boundNames(one.value ?? one.argument));
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((one) => (one ? boundNames(one) : []));
  return boundNames(pattern.left ?? pattern.argument);
}

/** Collects what a declaration mentions. `names`: its names, if it is one at the top level. */
function collect(top, unit, record, names) {
  const known = new Map();
  if (top.type === 'VariableDeclarator' && top.id.type === 'Identifier') {
    const place = top.init && composedPath(top.init, known);
    if (place) record.places[names[0]] = place;
  }
  const visit = (node, parent, key) => {
    if (node.type === 'BareImport') return void unit.imports.push([node.source, LOADING]);
    if (node.type === 'ImportExpression') dynamicImport(node, parent, unit, known);
    if (isResolve(node)) unit.imports.push([writtenPattern(node.arguments[0]) ?? '', '*']);
    if (node.regex || (node.type === 'Identifier' && node.name === 'RegExp')) unit.hasPattern = true;
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') unit.names.add(node.name);
    const pattern = writtenPattern(node);
    if (pattern !== null && WRITTEN_PATH.test(pattern)) unit.strings.add(pattern);
    const isPlace = parent?.type === 'VariableDeclarator' && key === 'init';
    const path = isOperand(node, parent, key) ? null : composedPath(node, known);
    if (path !== null && isNoted(path, parent, key)) unit.paths.push([path, useOf(parent, key, isPlace)]);
    if (isPlace && path !== null && parent.id.type === 'Identifier' && parent !== top)
      known.set(parent.id.name, path);
    // The parts of a path are no paths of their own, but may be names.
    if (path !== null && path[0] !== 'ref') return void namesIn(node, unit);
    for (const [child, childKey] of childrenOf(node)) visit(child, node, childKey);
  };
  visit(top, null, null);
}

/** What a path is used for: a `place` in a constant, a `folder` to work in, a `module` to load, or `read`. */
function useOf(parent, key, isPlace) {
  if (isPlace) return 'place';
  if (parent?.type === 'ImportExpression') return 'module';
  if (parent?.type === 'Property' && parent.key.name === 'cwd') return 'folder';
  const called = parent?.callee?.property?.name ?? parent?.callee?.name;
  if (key === 'arguments' && /^(?:fork|Worker|register)$/.test(called ?? '')) return 'module';
  return 'read';
}

/** A single name is noted where a path can be handed over, if it is written like a constant. */
function isNoted(path, parent, key) {
  if (path[0] !== 'ref') return true;
  return /^[A-Z][A-Z_\d]+$|^root$/.test(path[1]) && (key !== 'property' || parent.computed) && key !== 'id';
}

function isOperand(node, parent, key) {
  if (node.type !== 'Identifier') return false;
  return key === 'key' || key === 'callee' || (key === 'object' && parent.type === 'MemberExpression');
}

function dynamicImport({ source }, parent, unit) {
  const specifier = writtenPattern(source);
  if (specifier === null || specifier.includes('*')) return;
  const taken = parent?.type === 'AwaitExpression' ? parent.taken : null;
  unit.imports.push(...(taken ?? ['*']).map((name) => [specifier, name]));
}

/** `import.meta.resolve(...)` of a program that is started. */
function isResolve({ type, callee, arguments: args }) {
  return (
    type === 'CallExpression' &&
    callee.object?.type === 'MetaProperty' &&
    callee.property.name === 'resolve' &&
    args.length === 1
  );
}

/** `const { a } = await import('./x.js')` imports `a` alone. */
function takenNames({ id, init }) {
  if (id?.type !== 'ObjectPattern' || init?.type !== 'AwaitExpression') return;
  if (id.properties.every((one) => one.type === 'Property' && !one.computed))
    init.taken = id.properties.map((one) => nameOf(one.key));
}

function namesIn(node, unit) {
  if (node.type === 'Identifier') unit.names.add(node.name);
  const pattern = writtenPattern(node);
  if (pattern !== null && WRITTEN_PATH.test(pattern)) unit.strings.add(pattern);
  for (const [child] of childrenOf(node)) namesIn(child, unit);
}

function* childrenOf(node) {
  if (node.type === 'VariableDeclarator') takenNames(node);
  // The names of decorated parameters' types are kept at run time, so that Nest can inject them.
  const keepsTypes = node.type === 'ClassDeclaration' && isDecorated(node);
  if (node.type.startsWith('TS') && !node.keepsTypes) {
    if (WRAPPERS.has(node.type)) return yield [node.expression, 'expression'];
    if (node.type === 'TSParameterProperty') yield [node.parameter, 'parameter'];
    else if (node.type === 'TSEnumDeclaration') yield [node.body, 'body'];
    else if (/^TSEnum/.test(node.type))
      for (const one of node.members ?? [node.initializer]) if (one) yield [one, 'member'];
    return;
  }
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === null || typeof value !== 'object') continue;
    const isType = TYPE_KEYS.has(key);
    if (isType && !node.keepsTypes) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type !== 'string') continue;
      if (keepsTypes || node.keepsTypes) child.keepsTypes = true;
      // A name after a point, or before a colon, is no name of the module.
      if ((key === 'property' || key === 'key') && !node.computed && child.type === 'Identifier') continue;
      yield [child, key];
    }
  }
}

function isDecorated({ decorators, body }) {
  return decorators?.length > 0 || body.body.some((member) => member.decorators?.length > 0);
}

function nameOf(node) {
  return node.name ?? node.value;
}

function withoutComments(text, { start, end }, comments) {
  let [result, from] = ['', start];
  for (const comment of comments) {
    if (comment.start < from || comment.end > end) continue;
    result += text.slice(from, comment.start);
    from = comment.end;
  }
  return result + text.slice(from, end);
}

/** The digest contains the imports that the unit uses: another import is another behaviour. */
function finish(unit, record) {
  const own = [...unit.names].filter((name) => name in record.units || name in record.imports);
  const used = own.flatMap((name) => (name in record.imports ? [[name, record.imports[name]]] : []));
  unit.digest = createHash('sha1')
    .update(JSON.stringify([unit.texts.map((text) => text.replace(/\s+/g, ' ')), used]))
    .digest('base64url');
  unit.names = own;
  unit.strings = [...unit.strings];
  delete unit.texts;
}
