// The graph of this repository, or of another folder with the same form.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { buildGraph } from './graph.mjs';
import { listFiles, readRecords } from './records.mjs';

const PACKAGE = /^(?:libs(?:\/kinds)?|apps)\/[^/]+\/package\.json$/;

/**
 * Reads the graph of a folder that Git knows. Deleted modules among the changes stay in the graph, because
 * others may still import them.
 * @param {import('./changes.mjs').Change[]} changes
 */
export function readGraph(root, changes = []) {
  const present = listFiles(root);
  const records = readRecords(root, present);
  const gone = changes.filter(({ kind }) => kind === 'deleted');
  for (const { file, before } of gone) if (before !== null) records.set(file, before);
  const files = [...present, ...gone.map(({ file }) => file)];
  return buildGraph({ records, files, packages: packagesOf(root, present) });
}

function packagesOf(root, files) {
  const found = files.filter((file) => PACKAGE.test(file));
  return Object.fromEntries(
    found.map((file) => [posix.dirname(file), JSON.parse(readFileSync(join(root, file), 'utf8'))]),
  );
}
