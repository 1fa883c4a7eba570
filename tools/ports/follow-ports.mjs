// Follows calls through ports as an editor does: by TypeScript's language service, from the name of the called
// member to its implementations.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mjs';

/** Source files on the way of an alert from the HTTP request to the verdict. Calls through ports are read here. */
const ON_THE_WAY = [
  /^apps\/ingest\/src\/ingest\.ts$/,
  /^libs\/runtime\/src\/intake\/(?:intake|check-alert|choose-kind)\.ts$/,
  /^libs\/engine\/src\/(?:executor|leases)\//,
  /^libs\/engine\/src\/calls\/(?!provider-)/,
  /^libs\/engine\/src\/delivery\/outbox\.ts$/,
  /^libs\/pipeline\/src\/(?:stages|stage|flow|ask|ask-tools)\.ts$/,
  /^libs\/pipeline\/src\/parts\/(?:from-text|look-ups)\.ts$/,
  /^libs\/pipeline\/src\/strategies\/one-answer\.ts$/,
  /^libs\/evidence\/src\/run-tool\.ts$/,
];
/** Files whose interfaces are ports: others implement them. */
const PORTS = [
  /^libs\/contracts\/src\/ports\/(?!logger|telemetry|clock)/,
  /^libs\/pipeline\/src\/(?:stage|stage-parts|stage-ports|playbook|strategy)\.ts$/,
  /^libs\/engine\/src\/calls\/model-plan\.ts$/,
];
/** Interfaces of the engine that list what others give to it. */
const OWN_PORTS = /^(?:World|Executor|ToolExecutor|Journal|Paid|Intake|Outbox)Ports$/;

/**
 * Files that are not read, which halves the time: tests, the other kinds of case, and folders that implement none of
 * these ports.
 */
const LEFT_OUT = new RegExp(
  [
    String.raw`\.spec\.ts$|\.d\.ts$|/testing/`,
    'libs/(?:knowledge|telemetry|masking|embedded)/',
    'libs/pipeline/src/(?!prompts|parts|reviewers|strategies)[^/]+/',
    'libs/pipeline/src/strategies/react',
    'libs/store/src/(?:erasure|schema|generated/admin|admin)/',
    'libs/runtime/src/(?!intake|compose|masking|destinations)[^/]+/',
    'libs/llm/src/(?:providers|embedders)/',
    'libs/evidence/src/(?:mcp|images|sources|policy|fetch)/',
    'libs/contracts/src/(?:ops-api|kinds|errors|quality)',
  ].join('|'),
);
const SQL = /\b(?:select|insert into|update|delete from)\b/;

/** Returns the language service over the sources of the libraries. Packages from outside are not read. */
function languageService() {
  const libs = readdirSync(join(root, 'libs')).filter((lib) => existsSync(join(root, 'libs', lib, 'src')));
  const folders = [...libs.map((lib) => `libs/${lib}/src`), 'libs/kinds/scam-verdict/src', 'apps/ingest/src'];
  const files = folders
    .flatMap((folder) => ts.sys.readDirectory(join(root, folder), ['.ts']))
    .filter((file) => !LEFT_OUT.test(file));
  const text = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  return ts.createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const content = text(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    resolveModuleNameLiterals: (names, from) => names.map(({ text: name }) => resolved(name, from)),
  });
}

const OPTIONS = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  experimentalDecorators: true,
  skipLibCheck: true,
  lib: ['lib.es2023.d.ts'],
  types: [],
};

const folderOf = (name) =>
  [join(root, 'libs/kinds', name), join(root, 'libs', name)].find((folder) => existsSync(folder)) ?? '';

function resolved(name, from) {
  const own = /^@casefile\/([^/]+)(?:\/(.+))?$/.exec(name);
  const path = own
    ? join(folderOf(own[1]), 'src', `${own[2] ?? 'index'}.ts`)
    : name.startsWith('.')
      ? join(dirname(from), name).replace(/\.js$/, '.ts')
      : '';
  if (!existsSync(path) || LEFT_OUT.test(path)) return { resolvedModule: undefined };
  return {
    resolvedModule: { resolvedFileName: path, extension: ts.Extension.Ts, isExternalLibraryImport: false },
  };
}

/**
 * Returns each member of a port that is called on the way of an alert, with its implementations outside tests.
 * `problem` says why the editor ends there; null: it shows a function, or the name of one, and in the store this
 * function leads to a statement. An optional member need not be implemented.
 */
export function followPorts() {
  return new Follower(languageService()).members();
}

class Follower {
  constructor(service) {
    this.service = service;
    this.program = service.getProgram();
    this.checker = this.program.getTypeChecker();
  }

  members() {
    const calls = new Map();
    for (const file of this.program.getSourceFiles()) {
      if (!ON_THE_WAY.some((pattern) => pattern.test(pathOf(file)))) continue;
      visit(file, (node) => {
        if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
        const { name } = node.expression;
        const member = this.memberOfPort(name);
        if (member !== null && !calls.has(member)) calls.set(member, name);
      });
    }
    return [...calls].map(([member, call]) => ({
      member: `${member.parent.name.text}.${member.name.getText()}`,
      calledIn: pathOf(call),
      isOptional: member.questionToken !== undefined,
      implementations: this.implementations(call).map((node) => ({
        at: placeOf(node),
        problem: this.problemOf(node),
      })),
    }));
  }

  /** Returns the declaration of a port's member; null: the name is none. */
  memberOfPort(name) {
    const symbol = this.checker.getSymbolAtLocation(name);
    for (const { declarations = [] } of symbol === undefined ? [] : this.checker.getRootSymbols(symbol)) {
      const [member] = declarations;
      const isMember = member && (ts.isMethodSignature(member) || ts.isPropertySignature(member));
      if (!isMember || !ts.isInterfaceDeclaration(member.parent)) continue;
      const isPort =
        PORTS.some((port) => port.test(pathOf(member))) || OWN_PORTS.test(member.parent.name.text);
      if (isPort) return member;
    }
    return null;
  }

  /** Returns what the editor shows for "go to implementation" at a name. */
  implementations(name) {
    const found =
      this.service.getImplementationAtPosition(name.getSourceFile().fileName, name.getStart()) ?? [];
    return found.map(({ fileName, textSpan }) =>
      implementationAt(nodeAt(this.program.getSourceFile(fileName), textSpan)),
    );
  }

  problemOf(node) {
    const body = this.functionOf(node);
    if (body === null) return `is no function: ${node.getText().split('\n')[0].slice(0, 60)}`;
    const isOfStore = pathOf(node).startsWith('libs/store/');
    return isOfStore && !this.reachesStatement(body) ? 'reaches no statement' : null;
  }

  /** Returns the function that the editor shows, or that the implementation names; null: there is none. */
  functionOf(node, depth = 0) {
    if (ts.isFunctionLike(node)) return node.body === undefined ? null : node;
    const value =
      ts.isShorthandPropertyAssignment(node) || ts.isBindingElement(node) ? node.name : node.initializer;
    if (value === undefined || depth > 2) return null;
    if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return value;
    // A definition of a kind may be put together by functions with names.
    const named = ts.isCallExpression(value) ? value.expression : value;
    if (ts.isPropertyAccessExpression(named) && ts.isCallExpression(value)) return null;
    const declaration = this.declarationOf(node, named);
    if (declaration === undefined) return null;
    const isFunction = ts.isFunctionLike(declaration) || ts.isVariableDeclaration(declaration);
    if (isFunction && declaration.body !== undefined) return declaration;
    if (ts.isVariableDeclaration(declaration)) return this.functionOf(declaration, depth + 1);
    // The member of another port: the editor goes on from its name.
    const last = ts.isPropertyAccessExpression(named) ? named.name : named;
    const [next] = ts.isCallExpression(value) ? [] : this.implementations(last);
    return next === undefined || next === node ? null : this.functionOf(next, depth + 1);
  }

  declarationOf(node, name) {
    const symbol = ts.isShorthandPropertyAssignment(node)
      ? this.checker.getShorthandAssignmentValueSymbol(node)
      : this.checker.getSymbolAtLocation(name);
    return this.aliased(symbol)?.declarations?.[0];
  }

  aliased(symbol) {
    return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias
      ? this.checker.getAliasedSymbol(symbol)
      : symbol;
  }

  /** Returns whether a function's own text, or that of what it names, has an SQL statement. */
  reachesStatement(start, seen = new Set()) {
    if (seen.has(start)) return false;
    seen.add(start);
    if (SQL.test(start.getText())) return true;
    const names = [];
    visit(start, (node) => void (ts.isIdentifier(node) && names.push(node)));
    return names.some((name) => {
      const declaration = this.aliased(this.checker.getSymbolAtLocation(name))?.declarations?.[0];
      if (declaration === undefined || !pathOf(declaration).startsWith('libs/store/src/')) return false;
      const isOwn =
        ts.isMethodDeclaration(declaration) ||
        ((ts.isFunctionLike(declaration) || ts.isVariableDeclaration(declaration)) &&
          isOfModule(declaration.parent));
      return isOwn && this.reachesStatement(declaration, seen);
    });
  }
}

const pathOf = (node) => relative(root, node.getSourceFile().fileName);

function placeOf(node) {
  const { line } = ts.getLineAndCharacterOfPosition(node.getSourceFile(), node.getStart());
  return `${pathOf(node)}:${line + 1}`;
}

const isOfModule = (node) => ts.findAncestor(node, (one) => ts.isFunctionLike(one)) === undefined;

const nodeAt = (file, { start }) => {
  let found = file;
  const look = (node) => {
    if (node.getStart(file) <= start && start < node.getEnd()) {
      found = node;
      ts.forEachChild(node, look);
    }
  };
  ts.forEachChild(file, look);
  return found;
};

const implementationAt = (node) =>
  ts.findAncestor(
    node,
    (one) =>
      ts.isFunctionLike(one) ||
      ts.isPropertyAssignment(one) ||
      ts.isShorthandPropertyAssignment(one) ||
      ts.isPropertyDeclaration(one) ||
      ts.isVariableDeclaration(one) ||
      ts.isBindingElement(one),
  ) ?? node;

function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}
