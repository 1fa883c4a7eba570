// The graph of everything that a spec depends on. Nodes are texts:
// - `file`: the content of a file, whatever changes in it
// - `file#name`: one top-level declaration (unit); `file#`: the statements that run when it is loaded
// - `file#*`: all units of a module, for specs and for programs that are started
// - `package.json#package`: the exports and dependencies of a package
// - `file?`: whether there is such a file
// - `file@name`: what a module exports under a name. An import through an index file thus depends on the file
//   that declares the name, not on the whole index
import { posix } from 'node:path';
import { DECLARED, EVERY_SPEC, GENERATED } from './declared.mjs';
import { FileSet } from './file-set.mjs';
import { PathUses } from './path-uses.mjs';
import { LOADING } from './read-module.mjs';

/** A node on which everything depends that starts a program from `dist`: it must have been built. */
export const BUILT = 'dist/';
/** What is built from a source, and where. */
export const DIST = /^((?:libs(?:\/kinds)?|apps)\/[^/]+)\/dist\//;
/** The part of a package.json that imports depend on: see changes.mjs. */
export const PACKAGE = 'package';
const TESTS = /\.spec\.|\/testing\/|^apps\/(?:e2e|bench)\//;
const SPEC = /\.spec\.(?:ts|mjs)$/;

/**
 * Builds the graph.
 * @param {Map<string, object>} records by path of the module, see read-module.mjs
 * @param {string[]} files all files, modules and others
 * @param {Record<string, object>} packages content of the package.json files, by path of their folder
 */
export function buildGraph({ records, files, packages, declared = DECLARED, everySpec = EVERY_SPEC }) {
  return new Graph(records, new FileSet(files), packages, declared, everySpec);
}

class Graph {
  /** For each node the nodes that depend on it. */
  users = new Map();
  #links = new Set();
  #queue = [];

  constructor(records, files, packages, declared, everySpec) {
    Object.assign(this, { records, files, packages });
    this.byName = new Map(
      Object.entries(packages).map(([folder, { name, exports }]) => [name, { folder, exports }]),
    );
    this.folders = Object.keys(packages);
    this.declared = new Map(declared.map((one) => [one.at, one]));
    this.paths = new PathUses(this);
    this.specs = [...records.keys()].filter((file) => SPEC.test(file));
    for (const file of records.keys()) this.#addModule(file);
    const forAll = everySpec.flatMap(({ files: patterns }) => this.#matching(patterns));
    for (const spec of this.specs) for (const file of forAll) this.#add(whole(spec), file);
    for (const { at, loadsByName } of declared)
      if (loadsByName !== undefined) this.#addLoadedByName(at, loadsByName);
    for (let link = this.#queue.pop(); link !== undefined; link = this.#queue.pop()) this.#addLink(...link);
  }

  /** Returns the spec files that depend on one of the nodes, each with the node through which it does. */
  specsOf(nodes) {
    const cameFrom = new Map([...nodes].map((node) => [node, null]));
    const queue = [...cameFrom.keys()];
    // From the nearest on, so that the way to a spec is the shortest.
    for (let at = 0; at < queue.length; at += 1)
      for (const user of this.users.get(queue[at]) ?? [])
        if (!cameFrom.has(user)) {
          cameFrom.set(user, queue[at]);
          queue.push(user);
        }
    return new Map(
      this.specs
        .filter((spec) => cameFrom.has(whole(spec)))
        .map((spec) => [spec, wayTo(whole(spec), cameFrom)]),
    );
  }

  #addModule(file) {
    const record = this.records.get(file);
    const loading = unitNode(file, LOADING);
    const declared = this.#declaredNodes(this.declared.get(file));
    const owner = this.#packageOf(file);
    if (owner !== null) this.#add(loading, unitNode(owner, PACKAGE));
    for (const name of new Set([LOADING, ...Object.keys(record.units)])) {
      const node = unitNode(file, name);
      this.#add(whole(file), node);
      this.#add(node, loading);
      const unit = record.units[name];
      for (const target of declared) this.#add(node, target);
      if (unit === undefined) continue;
      for (const used of unit.names) this.#add(node, this.nodeOfName(file, used));
      if (this.declared.get(file)?.loadsByName === undefined)
        for (const [specifier, used] of unit.imports) this.#addImport(node, file, specifier, used);
      if (this.declared.get(file)?.replaces) continue;
      for (const target of this.paths.targets(file, unit)) this.#add(node, target);
    }
    const snapshot = posix.join(posix.dirname(file), '__snapshots__', `${posix.basename(file)}.snap`);
    if (SPEC.test(file) && this.files.has(snapshot)) this.#add(whole(file), snapshot);
  }

  /** Specs that load any of the modules by name depend on some of them. */
  #addLoadedByName(file, dependsOn) {
    const imports = Object.values(this.records.get(file)?.units ?? {}).flatMap((unit) => unit.imports);
    for (const [specifier, name] of imports) {
      const target = this.resolve(file, specifier);
      if (target === null || !this.records.has(target)) continue;
      const node = name === LOADING ? unitNode(target, LOADING) : this.link(target, name);
      for (const spec of this.specs) if (dependsOn(spec, target)) this.#add(whole(spec), node);
    }
  }

  #declaredNodes({ files = [], names = [], patterns = [], programs = [] } = {}) {
    return [
      ...this.#matching(files),
      ...this.#matching(names).map((file) => `${file}?`),
      ...this.#matching(patterns).flatMap((file) => this.#unitsWithPatterns(file)),
      ...programs.map(whole),
    ];
  }

  #matching(patterns) {
    return patterns.flatMap((pattern) => this.files.matching(pattern));
  }

  #unitsWithPatterns(file) {
    if (TESTS.test(file)) return [];
    const units = Object.entries(this.records.get(file)?.units ?? {});
    return units.filter(([, { hasPattern }]) => hasPattern).map(([name]) => unitNode(file, name));
  }

  #addImport(node, file, specifier, name) {
    if (specifier.includes('*')) return this.#addProgramsOfPackages(node, specifier);
    if (/(?:^|\/)dist\//.test(specifier)) this.#add(node, BUILT);
    const target = this.resolve(file, specifier);
    if (target === null) return;
    if (!this.records.has(target)) return void this.#add(node, target);
    this.#add(node, name === LOADING ? unitNode(target, LOADING) : this.link(target, name));
  }

  /** `import.meta.resolve(`@casefile/${name}/main`)`: the main module of any package. */
  #addProgramsOfPackages(node, specifier) {
    const name = specifier.replace(/\/main$/, '').replace('*', '');
    for (const [one, { folder }] of this.byName)
      if (one.startsWith(name) && this.files.has(`${folder}/src/main.ts`))
        for (const target of [BUILT, whole(`${folder}/src/main.ts`)]) this.#add(node, target);
  }

  /** Returns the node of a name that a module declares or imports, or null for a name of an outside package. */
  nodeOfName(file, name) {
    const record = this.records.get(file);
    if (Object.hasOwn(record.units, name)) return unitNode(file, name);
    const [specifier, imported] = own(record.imports, name) ?? [];
    const target = specifier === undefined ? null : this.resolve(file, specifier);
    if (target === null) return null;
    return this.records.has(target) ? this.link(target, imported) : target;
  }

  /** Returns the node of an exported name. */
  link(file, name) {
    const node = `${file}@${name}`;
    if (!this.#links.has(node)) {
      this.#links.add(node);
      this.#queue.push([file, name]);
    }
    return node;
  }

  #addLink(file, name) {
    const node = `${file}@${name}`;
    const { exports, stars } = this.records.get(file);
    if (name === '*') {
      for (const exported of Object.keys(exports)) this.#add(node, this.link(file, exported));
      for (const specifier of stars) this.#addImport(node, file, specifier, '*');
      return void this.#add(node, unitNode(file, LOADING));
    }
    const exported = own(exports, name);
    if (typeof exported === 'string') return void this.#add(node, this.nodeOfName(file, exported));
    if (exported) return void this.#addImport(node, file, ...exported);
    for (const specifier of stars) {
      const target = this.resolve(file, specifier);
      if (target !== null && this.exportedNames(target).has(name)) this.#add(node, this.link(target, name));
    }
  }

  /** Returns all names that a module exports. */
  exportedNames(file, seen = new Set()) {
    if (seen.has(file) || !this.records.has(file)) return new Set();
    seen.add(file);
    const { exports, stars } = this.records.get(file);
    const passed = stars.flatMap((one) => [...this.exportedNames(this.resolve(file, one), seen)]);
    return new Set([...Object.keys(exports), ...passed]);
  }

  /** Returns the path of the file that a specifier leads to, or null for an outside package. */
  resolve(file, specifier) {
    if (specifier.startsWith('.')) {
      const path = posix.join(posix.dirname(file), specifier).replace(DIST, '$1/src/');
      return GENERATED.find(({ at }) => at.test(path))?.from ?? this.files.source(path);
    }
    const [, name, rest = ''] = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(specifier) ?? [];
    const found = this.byName.get(name);
    return found === undefined ? null : exportedFile(found, `.${rest}`, this.files);
  }

  /** Returns the content of a package.json, by its path, or undefined. */
  packageAt(file) {
    return own(this.packages, posix.dirname(file));
  }

  #packageOf(file) {
    const folder = this.folders.find((one) => file.startsWith(`${one}/`));
    return folder === undefined ? null : posix.join(folder, 'package.json');
  }

  #add(node, target) {
    if (target === null || target === undefined || target === node) return;
    const users = this.users.get(target);
    if (users === undefined) this.users.set(target, new Set([node]));
    else users.add(node);
  }
}

/** A name such as `constructor` is no property unless the module declares it. */
export function own(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function unitNode(file, name) {
  return `${file}#${name}`;
}

export function whole(file) {
  return `${file}#*`;
}

function exportedFile({ folder, exports = {} }, subpath, files) {
  for (const [pattern, conditions] of Object.entries(exports)) {
    const path = conditions['@casefile/source'] ?? conditions.default ?? conditions;
    const [start, end] = pattern.split('*');
    const fits = end === undefined ? pattern === subpath : subpath.startsWith(start) && subpath.endsWith(end);
    if (!fits) continue;
    const inside = end === undefined ? '' : subpath.slice(start.length, subpath.length - end.length);
    return files.source(posix.join(folder, path.replace('*', inside)).replace(DIST, '$1/src/'));
  }
  return null;
}

function wayTo(node, cameFrom) {
  const way = [];
  for (let at = node; at !== null; at = cameFrom.get(at)) way.push(at);
  return way;
}
