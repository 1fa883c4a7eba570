// The files that differ from an earlier state, and which of their declarations differ.
import { execFileSync } from 'node:child_process';
import { PACKAGE, unitNode, whole } from './graph.mjs';
import { readModule } from './read-module.mjs';
import { isModule } from './records.mjs';

/**
 * @typedef {object} Change
 * @property {string} file
 * @property {'added' | 'changed' | 'deleted'} kind
 * @property {object | string | null} before record of the module as it was, or the part of a package.json that
 * imports depend on; null: unknown, or another file
 */

/**
 * Returns what differs from the commit at which this branch left `base`: commits, changes that are not
 * committed, and new files.
 * @returns {Change[]}
 */
export function changesSince(root, base) {
  const from = mergeBase(root, base);
  const listed = git(root, 'diff', '--name-status', '--no-renames', '-z', from).split('\0').slice(0, -1);
  const changes = new Map();
  for (let at = 0; at < listed.length; at += 2) {
    const kind = { A: 'added', D: 'deleted' }[listed[at]] ?? 'changed';
    changes.set(listed[at + 1], { file: listed[at + 1], kind, before: null });
  }
  for (const file of git(root, 'ls-files', '-z', '--others', '--exclude-standard').split('\0').slice(0, -1))
    changes.set(file, { file, kind: 'added', before: null });
  const isRead = (file) => isModule(file) || file.endsWith('package.json');
  const modules = [...changes.values()].filter(({ file, kind }) => kind !== 'added' && isRead(file));
  const texts = textsAt(
    root,
    from,
    modules.map(({ file }) => file),
  );
  modules.forEach((change, at) => (change.before = recordOf(change.file, texts[at])));
  return [...changes.values()];
}

/** Returns the nodes of the graph that the changes change. */
export function changedNodes(graph, changes) {
  const nodes = new Set();
  for (const { file, kind, before } of changes) {
    nodes.add(file);
    if (kind !== 'changed') nodes.add(`${file}?`);
    if (file.endsWith('/package.json') && before !== resolution(graph.packageAt(file)))
      nodes.add(unitNode(file, PACKAGE));
    const now = graph.records.get(file);
    if (now === undefined) continue;
    const isWhole = before === null || kind !== 'changed';
    if (isWhole) nodes.add(whole(file));
    const units = Object.keys({ ...before?.units, ...now.units });
    for (const name of units)
      if (isWhole || before.units[name]?.digest !== now.units[name]?.digest) nodes.add(unitNode(file, name));
    for (const name of changedNames(graph, file, isWhole ? null : before, now)) nodes.add(`${file}@${name}`);
  }
  return nodes;
}

/** Returns the exported names that lead elsewhere than before. */
function changedNames(graph, file, before, now) {
  if (before === null) return graph.exportedNames(file);
  const names = Object.keys({ ...before.exports, ...now.exports });
  const changed = names.filter(
    (name) => JSON.stringify(before.exports[name]) !== JSON.stringify(now.exports[name]),
  );
  const stars = [...before.stars, ...now.stars].filter(
    (one) => !before.stars.includes(one) || !now.stars.includes(one),
  );
  const passed = stars.flatMap((one) => [...graph.exportedNames(graph.resolve(file, one))]);
  return [...changed, ...passed];
}

/** Returns the parts of a package.json on which an import depends, as one text. */
function resolution(content) {
  const { name, type, exports, imports, dependencies, devDependencies } = content ?? {};
  return JSON.stringify({ name, type, exports, imports, dependencies, devDependencies });
}

function recordOf(file, text) {
  try {
    if (file.endsWith('package.json')) return resolution(JSON.parse(text));
    return readModule(file, text);
  } catch {
    return null;
  }
}

/** Reads all files in one process of Git. */
function textsAt(root, commit, files) {
  if (files.length === 0) return [];
  const output = execFileSync('git', ['cat-file', '--batch'], {
    cwd: root,
    input: files.map((file) => `${commit}:${file}\n`).join(''),
    maxBuffer: 256 * 1024 * 1024,
  });
  let at = 0;
  return files.map(() => {
    const line = output.indexOf(10, at);
    const size = Number(output.toString('utf8', at, line).split(' ')[2]);
    const text = output.toString('utf8', line + 1, line + 1 + size);
    at = line + 1 + size + 1;
    return text;
  });
}

function mergeBase(root, base) {
  try {
    return git(root, 'merge-base', base, 'HEAD').trim();
  } catch {
    throw new Error(`--base: expected a branch or commit that this branch began from, got ${base}`);
  }
}

function git(root, ...args) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  return execFileSync('git', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}
