// Digests of the patterns that were measured and are linear, in measured.json. `node
// tools/worst-inputs/measured.mjs` measures those that are not in it yet, and writes the list anew.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { trouble } from './measure-pattern.mjs';
import { patternFiles } from './patterns.mjs';

const FILE = join(root, 'tools/worst-inputs/measured.json');
const measured = new Set(JSON.parse(readFileSync(FILE, 'utf8')));

const digestOf = ({ source, flags }) =>
  createHash('sha256').update(`/${source}/${flags}`).digest('base64url').slice(0, 12);

/** Returns whether a pattern was measured and is linear. */
export const isMeasured = (pattern) => measured.has(digestOf(pattern));

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const patterns = patternFiles().flatMap(({ literals }) => literals);
  const fresh = patterns.filter((pattern) => !isMeasured(pattern));
  const problems = [];
  for (const pattern of fresh) problems.push(await trouble(pattern));
  const steep = problems.filter((problem) => problem !== null);
  if (steep.length > 0) console.error(steep.join('\n'));
  else {
    const digests = [...new Set(patterns.map(digestOf))].sort();
    writeFileSync(FILE, `${JSON.stringify(digests, null, 2)}\n`);
    console.log(`${fresh.length} measured, ${digests.length} in the list`);
  }
  process.exit(steep.length > 0 ? 1 : 0);
}
