// `npm test -- --watch [PATH...]`: runs the spec files of these paths, and after each change of a file those of
// them that depend on it. Postgres and Redis stay up. Jest's own watch mode keeps its workers, in which Node
// would keep the old modules; a new Jest costs 2 s. Ctrl-C ends it.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { WHOLE } from './affected.mjs';
import { BUILT } from './imports/graph.mjs';
import { changedNodes } from './imports/changes.mjs';
import { readGraph } from './imports/tree.mjs';
import setup from './jest/global-setup.mjs';
import teardown from './jest/global-teardown.mjs';
import { root } from './root.mjs';

/** Files of editors and of Git, and folders. */
const NOT_WATCHED = /^\.|~$|^[^.]+$/;
/** Editors write a file in several steps. */
const SETTLED_MS = 150;

/**
 * Watches until the process ends.
 * @param {string[]} given paths and options of Jest; no path: all spec files
 */
export async function watchSpecs(given) {
  await setup();
  const end = async () => {
    await teardown();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end());
  const paths = given.filter((one) => existsSync(join(root, one)));
  const folders = new Folders();
  let graph = readGraph(root);
  // A change during the first run counts, too.
  folders.watch(graph.files.all());
  let files = paths.length === 0 ? [] : chosen(graph, paths);
  for (;;) {
    if (files.length > 0)
      await runSpecs(
        graph,
        files,
        given.filter((one) => !paths.includes(one)),
      );
    console.log('\nwatching; Ctrl-C ends');
    const changed = await folders.next();
    const before = graph;
    graph = readAfter(before);
    folders.watch(graph.files.all());
    const affected = graph === before ? new Set() : affectedSpecs(graph, before, changed);
    files = chosen(graph, paths).filter((file) => affected.has(file));
    console.log(`\n${changed.join(', ')}: ${files.length} spec files depend on it`);
  }
}

/** A file that cannot be read, for example half written, leaves the graph as it is. */
function readAfter(before) {
  try {
    return readGraph(root);
  } catch (error) {
    console.error(error.message);
    return before;
  }
}

/**
 * Returns the specs that depend on changed files: of a module only on what differs in it. What depended on a
 * file that is gone is in the graph before.
 */
function affectedSpecs(graph, before, changed) {
  const change = (file, kind) => ({ file, kind, before: before.records.get(file) ?? null });
  const [there, gone] = [true, false].map((is) => changed.filter((file) => graph.files.has(file) === is));
  const differing = there.map((file) => change(file, before.files.has(file) ? 'changed' : 'added'));
  const deleted = gone.filter((file) => before.files.has(file)).map((file) => change(file, 'deleted'));
  const affected = graph.specsOf(changedNodes(graph, differing));
  const broken = before.specsOf(changedNodes(before, deleted));
  return new Set([...affected.keys(), ...broken.keys()]);
}

/** Without a path: all but those of `npm run test:whole`, which take long. */
function chosen(graph, paths) {
  if (paths.length === 0) return graph.specs.filter((file) => !WHOLE.test(file));
  return graph.specs.filter((file) => paths.some((path) => file.startsWith(posix.normalize(path))));
}

async function runSpecs(graph, files, options) {
  const building = graph.specsOf([BUILT]);
  const node = (...args) =>
    new Promise((resolve) =>
      spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }).on('close', (code) => resolve(code)),
    );
  if (files.some((file) => building.has(file)) && (await node('tools/build.mjs')) !== 0) return;
  const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--runTestsByPath'];
  await node(...jest, ...files, ...options);
}

/**
 * Waits for changes of files. One watcher per folder: the recursive one of Node 20 loses a file that an editor
 * replaces.
 */
class Folders {
  #watchers = new Map();
  #changed = new Set();
  #notify = () => {};

  /** Returns a promise of the files that changed since the last one, each once. */
  async next() {
    if (this.#changed.size === 0) await new Promise((resolve) => (this.#notify = resolve));
    let size = 0;
    while (size !== this.#changed.size) {
      size = this.#changed.size;
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    }
    const changed = [...this.#changed].sort();
    this.#changed.clear();
    return changed;
  }

  /** Watches the folders of these files, in addition to those before. */
  watch(files) {
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      if (this.#watchers.has(folder) || !existsSync(join(root, folder))) continue;
      const watcher = watch(join(root, folder), (_, name) => {
        if (name === null || NOT_WATCHED.test(name)) return;
        this.#changed.add(posix.join(folder, name));
        this.#notify();
      });
      this.#watchers.set(folder, watcher);
      // A deleted folder is watched again when it is back.
      watcher.on('error', () => this.#watchers.delete(folder));
    }
  }
}
