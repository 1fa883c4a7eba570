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
  let files = paths.length === 0 ? [] : chosen(graph, paths);
  for (;;) {
    if (files.length > 0)
      await runSpecs(
        graph,
        files,
        given.filter((one) => !paths.includes(one)),
      );
    console.log('\nwatching; Ctrl-C ends');
    const changed = await folders.next(graph.files.all());
    const before = graph;
    graph = readAfter(before);
    const affected = graph === before ? new Map() : graph.specsOf(nodesOf(graph, before, changed));
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

/** The nodes that differ from the graph before: of a changed module only what differs in it. */
export function nodesOf(graph, before, changed) {
  const changes = changed.map((file) => {
    const isThere = graph.files.has(file);
    const kind = !before.files.has(file) ? 'added' : isThere ? 'changed' : 'deleted';
    return { file, kind, before: before.records.get(file) ?? null };
  });
  return changedNodes(graph, changes);
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

  /** Watches the folders of these files. Returns a promise of the changed files, each once. */
  async next(files) {
    this.#watch(new Set(files.map((file) => dirname(file))));
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

  #watch(folders) {
    for (const folder of folders) {
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
