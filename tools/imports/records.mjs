// The records of all modules of the tree, with a cache by content, so that only changed files are read again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readModule, RECORD_FORM } from './read-module.mjs';

const MODULE = /^(?:libs|apps|tools)\/.*\.(?:ts|tsx|mjs)$|^[^/]+\.mjs$/;
const NO_MODULE = /\.d\.ts$|\/fixtures\//;

/** Returns whether a file, by its path from the root, is a module whose imports are read. */
export function isModule(file) {
  return MODULE.test(file) && !NO_MODULE.test(file);
}

/** Returns the paths of all files that Git knows or would add, in order. */
export function listFiles(root) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = new Set(listed.split('\0').filter((file) => file !== ''));
  return [...files].filter((file) => exists(join(root, file))).sort();
}

/**
 * Returns the record of each module among the files, by path. Reads the records of unchanged files from the
 * cache, and writes the cache if a file has changed. `cache`: null keeps none.
 */
export function readRecords(root, files, cache = join(root, 'node_modules/.cache/casefile-imports.json')) {
  const old = cache === null ? {} : readCache(cache);
  const [records, kept] = [new Map(), {}];
  let read = 0;
  for (const file of files.filter(isModule)) {
    const text = readFileSync(join(root, file), 'utf8');
    const digest = digestOf(file, text);
    if (old[digest] === undefined) read += 1;
    kept[digest] = old[digest] ?? readModule(file, text);
    records.set(file, kept[digest]);
  }
  if (cache !== null && read > 0) writeCache(cache, kept);
  return records;
}

function digestOf(file, text) {
  return createHash('sha1').update(`${RECORD_FORM} ${file}\n${text}`).digest('base64url');
}

function readCache(cache) {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'));
  } catch {
    return {};
  }
}

/** Written under another name first: two commands may run at the same time. */
function writeCache(cache, records) {
  mkdirSync(dirname(cache), { recursive: true });
  writeFileSync(`${cache}.${process.pid}`, JSON.stringify(records));
  renameSync(`${cache}.${process.pid}`, cache);
}

function exists(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
