// `npm run kit-api`: writes libs/kit/api.md, the exported names of @casefile/kit with their types.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import ts from 'typescript';
import { root } from '../root.mjs';
import { ENTRIES, kitProgram } from './kit-program.mjs';

export const REPORT = join(root, 'libs/kit/api.md');

const HEAD = `# Exports of @casefile/kit

\`npm run kit-api\` writes this file. A change of it is a change for every kind of case from outside this repository.
`;
const OTHERS = `## Types that these signatures use

They are not exported.
`;
/** Most lines of a type that is not exported. */
const LONGEST = 60;
const f = ts.factory;
const OURS = /\/libs\/[^/]+\/src\//;
const NAMED =
  ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class | ts.SymbolFlags.Enum;
const FORMAT =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/** Returns the report: one entry for each export, then the other types of this repository that they use. */
export function kitApi(program = kitProgram()) {
  return new Report(program).text();
}

class Report {
  constructor(program) {
    this.program = program;
    this.checker = program.getTypeChecker();
    this.printer = ts.createPrinter({ removeComments: true });
    /** Entries by symbol, in the order in which they were found. */
    this.entries = new Map();
  }

  async text() {
    const sections = Object.entries(ENTRIES).map(([name, file]) => [name, this.exportsOf(file)]);
    const exported = new Set(sections.flatMap(([, symbols]) => [...symbols.values()]));
    for (const symbol of exported) this.add(symbol);
    for (const symbol of exported) this.describe(symbol);
    for (const [name, symbol] of sections.flatMap(([, symbols]) => [...symbols]))
      if (!this.entries.has(symbol)) this.entries.set(symbol, outside(name, symbol));
    const others = [...this.entries.keys()].filter((symbol) => !exported.has(symbol));
    const byName = (a, b) => (a.name < b.name ? -1 : 1);
    const all = [
      ...sections.map(([name, symbols]) => [`## ${name}\n`, [...symbols.values()]]),
      [OTHERS, others],
    ];
    const written = await Promise.all(all.map(([head, symbols]) => this.section(head, symbols.sort(byName))));
    return [HEAD, ...written].join('\n');
  }

  exportsOf(file) {
    const module = this.checker.getSymbolAtLocation(this.program.getSourceFile(join(root, file)));
    return new Map(this.checker.getExportsOfModule(module).map((one) => [one.name, this.target(one)]));
  }

  async section(head, symbols) {
    const code = symbols.map((symbol) => this.entries.get(symbol)).join('\n\n');
    const style = { parser: 'typescript', printWidth: 110, singleQuote: true };
    const entries = (await format(code, style)).trimEnd().split('\n\n');
    return `${head}\n\`\`\`ts\n${entries.map((entry) => (head === OTHERS ? short(entry) : entry)).join('\n\n')}\n\`\`\`\n`;
  }

  target(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** Adds the entry of a symbol, then those of the types that it uses. */
  add(symbol) {
    const all = (symbol.declarations ?? []).filter((node) => OURS.test(fileOf(node)));
    // Callers do not see the implementation of an overloaded function.
    const declarations = all.length === 1 ? all : all.filter((node) => node.body === undefined);
    if (this.entries.has(symbol) || declarations.length === 0) return;
    this.entries.set(symbol, '');
    const shown = declarations.map((node) => this.shown(symbol, node));
    const texts = shown.map((node, i) =>
      this.printer.printNode(ts.EmitHint.Unspecified, node, declarations[i].getSourceFile()),
    );
    this.entries.set(symbol, texts.join('\n'));
    for (const node of shown) this.addUsed(node);
  }

  /** Puts the first sentence of the docstring above the entry. */
  describe(symbol) {
    const entry = this.entries.get(symbol);
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).replace(/\s+/g, ' ');
    const [sentence = ''] = /^.+?[.:](?= |$)/.exec(text.trim()) ?? [text.trim()];
    if (entry !== undefined && sentence !== '') this.entries.set(symbol, `// ${sentence}\n${entry}`);
  }

  addUsed(node) {
    if (ts.isIdentifier(node)) {
      // Nodes that the checker made carry their symbol.
      const found = node.symbol ?? (node.pos < 0 ? undefined : this.checker.getSymbolAtLocation(node));
      const used = found && this.target(found);
      if (used && used.flags & NAMED) this.add(used);
    }
    ts.forEachChild(node, (child) => this.addUsed(child));
  }

  /** Returns the declaration without what is no type: bodies, initial values, comments. */
  shown(symbol, node) {
    if (ts.isInterfaceDeclaration(node))
      return f.updateInterfaceDeclaration(
        node,
        undefined,
        node.name,
        node.typeParameters,
        node.heritageClauses,
        node.members,
      );
    if (ts.isTypeAliasDeclaration(node)) {
      const type =
        node.typeParameters === undefined && hasTypeQuery(node.type)
          ? this.typeNode(this.checker.getDeclaredTypeOfSymbol(symbol), node)
          : node.type;
      return f.updateTypeAliasDeclaration(node, undefined, node.name, node.typeParameters, type);
    }
    if (ts.isFunctionDeclaration(node)) return this.shownFunction(node);
    if (ts.isClassDeclaration(node)) return this.shownClass(node);
    const type = this.typeNode(this.checker.getTypeOfSymbolAtLocation(symbol, node), node);
    const constant = f.createVariableDeclaration(symbol.name, undefined, type);
    return f.createVariableStatement(
      undefined,
      f.createVariableDeclarationList([constant], ts.NodeFlags.Const),
    );
  }

  typeNode(type, node) {
    return this.checker.typeToTypeNode(type, node, FORMAT);
  }

  /** Returns the function with the types that its declaration leaves to the compiler. */
  shownFunction(node) {
    const { typeParameters, parameters, type } = this.signature(node);
    return f.createFunctionDeclaration(undefined, undefined, node.name, typeParameters, parameters, type);
  }

  signature(node) {
    const signature = this.checker.getSignatureFromDeclaration(node);
    const shown = this.checker.signatureToSignatureDeclaration(signature, node.kind, node, FORMAT);
    // Neither the parts that a function takes from its parameter nor how a constructor stores it are of its type.
    const parameters = shown.parameters.map(({ dotDotDotToken, name, questionToken, type }) => {
      const shownName = ts.isIdentifier(name) ? name : 'input';
      return f.createParameterDeclaration(undefined, dotDotDotToken, shownName, questionToken, type);
    });
    return { ...shown, parameters };
  }

  /** Returns the class with its public members, which state their types. */
  shownClass(node) {
    const isPrivate = ({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
    const members = node.members
      .filter((member) => !isPrivate(member))
      .flatMap((member) => {
        if (!ts.isConstructorDeclaration(member) && !ts.isMethodDeclaration(member))
          return [property(member)];
        const { typeParameters, parameters, type } = this.signature(member);
        if (ts.isMethodDeclaration(member)) {
          const { name, questionToken } = member;
          return [
            f.createMethodDeclaration(
              undefined,
              undefined,
              name,
              questionToken,
              typeParameters,
              parameters,
              type,
            ),
          ];
        }
        const stored = member.parameters.filter((one) => one.modifiers !== undefined && !isPrivate(one));
        return [...stored.map(property), f.createConstructorDeclaration(undefined, parameters)];
      });
    return f.updateClassDeclaration(
      node,
      undefined,
      node.name,
      node.typeParameters,
      node.heritageClauses,
      members,
    );
  }
}

/** Returns the digest of a long type instead of it, so that the report stays readable and a change is still seen. */
function short(entry) {
  const lines = entry.split('\n');
  if (lines.length <= LONGEST) return entry;
  const digest = createHash('sha256').update(entry).digest('hex').slice(0, 16);
  return `${lines[0].replace(/ =.*/, '')} = /* ${lines.length} lines, sha256 ${digest} */;`;
}

const fileOf = (node) => node.getSourceFile().fileName;

/** Returns the entry of an export that another package declares. */
function outside(name, { declarations: [node] }) {
  const [, owner] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(fileOf(node));
  return `const ${name}: typeof import('${owner}');`;
}

function property({ modifiers, name, questionToken, type }) {
  return f.createPropertyDeclaration(modifiers, name, questionToken, type);
}

function hasTypeQuery(node) {
  return ts.isTypeQueryNode(node) || ts.forEachChild(node, hasTypeQuery) === true;
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(REPORT, await kitApi());
