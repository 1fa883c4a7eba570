// What the paths that a unit composes lead to: files that it reads, folders that it reads as a whole, and
// programs that it starts.
import { posix } from 'node:path';
import { evaluatePath } from './path-expressions.mjs';
import { BUILT, DIST, own, whole } from './graph.mjs';

/** Folders in which a path may start without more: commands and tests run at the root. */
const TOP = /^(?:apps|libs|tools|docs|samples|k8s|config)(?:\/|$)/;
/** Code that runs at the root: a path in a text is a path from the root. Elsewhere it is a text for a user. */
const RUNS_AT_ROOT = /\.spec\.|\/testing\/|^apps\/(?:e2e|bench)\/|^tools\//;
/** Nearly everything: such a path says nothing. */
const UNBOUNDED = /^(?:libs(?:\/kinds)?|apps)(?:\/[^/]*)?\/?$/;
const CODE = /\.(?:ts|tsx|mjs)$/;
const BUILD_TOOL = 'tools/build.mjs';

export class PathUses {
  #graph;
  #strings = new Map();

  constructor(graph) {
    this.#graph = graph;
  }

  /** Returns the nodes that a unit depends on by the paths that it mentions. */
  targets(file, unit) {
    const found = new Set();
    const add = (nodes) => nodes.forEach((node) => found.add(node));
    for (const [path, use] of unit.paths) add(this.#byPath(file, path, use));
    if (RUNS_AT_ROOT.test(file)) for (const text of unit.strings) add(this.#byText(text));
    found.delete(file);
    return found;
  }

  #byPath(file, path, use) {
    const pattern = evaluatePath(path, file, (name) => this.#place(file, name));
    if (pattern === null || pattern === '') return [];
    const fixed = pattern.replace(/^\*\//, '');
    if (!TOP.test(fixed) || UNBOUNDED.test(fixed)) return this.#narrowed(file, pattern, use);
    // What follows is not known at all: the names that the module mentions tell more, if they fit.
    if (/\/\*$/.test(fixed)) {
      const narrowed = this.#narrowed(file, pattern, use);
      if (narrowed.length > 0) return narrowed;
    }
    const isFolder = this.#graph.files.below(fixed) !== null || fixed.endsWith('/*');
    return isFolder && use !== 'read' ? [] : this.#nodes(fixed, use);
  }

  /** Fits the texts of the module into the unknown part of a path. */
  #narrowed(file, pattern, use) {
    const at = pattern.indexOf('*');
    if (at < 0) return this.#graph.files.has(pattern) ? [pattern] : [];
    const before = pattern.slice(0, at);
    return this.#stringsOf(file).flatMap((text) => {
      const path = posix.normalize(`${before}${text}${pattern.slice(at + 1)}`);
      return path.includes('*') && !TOP.test(path) ? [] : this.#nodes(path, use, true);
    });
  }

  #byText(text) {
    const isAtRoot = text.includes('/') ? TOP.test(text) : this.#graph.files.has(text);
    if (!isAtRoot || /\/\*$/.test(text)) return [];
    const folder = text.replace(/\/$/, '');
    // `build(['libs/store'])` needs the modules of the package.
    if (this.#graph.folders.includes(folder)) return this.#packageNodes(folder);
    return this.#nodes(text, 'text', true);
  }

  /** A name of a package's folder stands for its modules, its specs left out. */
  #packageNodes(folder) {
    const files = this.#graph.files.below(folder).filter((file) => !/\.spec\./.test(file));
    return [BUILD_TOOL_NODE, ...files.map((file) => (this.#graph.records.has(file) ? whole(file) : file))];
  }

  #nodes(path, use, filesOnly = false) {
    const built = DIST.test(path);
    const source = path.replace(DIST, '$1/src/');
    const { files, records } = this.#graph;
    if (built || source.endsWith('.js')) {
      const modules = [source, source.replace(/\.js$/, '.ts')].flatMap((one) => files.matching(one));
      const programs = modules.filter((file) => records.has(file)).map(whole);
      return built && programs.length > 0 ? [...programs, BUILT, BUILD_TOOL_NODE] : programs;
    }
    const found =
      filesOnly && !path.includes('*')
        ? files.has(path)
          ? [path]
          : []
        : files.matching(path.replace(/\/$/, ''));
    const loads = (file) => use === 'module' || (file.endsWith('.mjs') && use !== 'folder');
    return found.flatMap((file) =>
      CODE.test(file) && records.has(file) && loads(file) ? [file, whole(file)] : [file],
    );
  }

  /** Returns the path of a constant of this module or of the one that it comes from, or null. */
  #place(file, name, depth = 0) {
    const { records } = this.#graph;
    const record = records.get(file);
    const place = record && own(record.places, name);
    if (place)
      return evaluatePath(place, file, (other) => (depth > 8 ? null : this.#place(file, other, depth + 1)));
    const [specifier, imported] = (record && own(record.imports, name)) ?? [];
    const target = specifier === undefined ? null : this.#graph.resolve(file, specifier);
    return target === null || depth > 8 ? null : this.#place(target, imported, depth + 1);
  }

  #stringsOf(file) {
    if (!this.#strings.has(file)) {
      const { units } = this.#graph.records.get(file);
      this.#strings.set(file, [...new Set(Object.values(units).flatMap(({ strings }) => strings))]);
    }
    return this.#strings.get(file);
  }
}

const BUILD_TOOL_NODE = whole(BUILD_TOOL);
