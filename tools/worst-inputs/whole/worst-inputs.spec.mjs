// Every parser of external text takes time in proportion to its length: four times the text takes at most 8
// times as long. Measured with the worst of the tried inputs. `WORST_INPUTS=all npm test -- tools/worst-inputs`
// measures with every input. The fast tier measures the patterns that are new.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commonAttacks } from '../common-attacks.mjs';
import { FLOORS, growsTooFast } from '../growth.mjs';
import { chosen, trouble } from '../measure-pattern.mjs';
import { parsers } from '../parsers.mjs';
import { patternFiles } from '../patterns.mjs';

/** Time for all patterns together. Only processor time is measured, so a busy machine only takes longer. */
const LONG_MS = 1_200_000;
const files = patternFiles();
const list = await parsers();

describe('E-06 over its own worst input', () => {
  it(
    'every regular expression that is written down is linear',
    async () => {
      const problems = [];
      for (const { path, literals } of files)
        for (const pattern of literals) {
          const steep = await trouble(pattern);
          if (steep !== null) problems.push(`${path}:${pattern.line} ${steep}`);
        }
      expect(files.flatMap(({ literals }) => literals).length).toBeGreaterThan(400);
      expect(problems).toEqual([]);
    },
    LONG_MS,
  );

  it.each(list.map(({ name, run, lengths }) => [name, run, lengths]))(
    '%s is linear',
    async (_name, run, lengths) => {
      for (const attack of await chosen(run, commonAttacks(), [300, 1_200]))
        expect(await growsTooFast(run, attack, { floor: FLOORS.parser, lengths })).toBeNull();
    },
    300_000,
  );

  it(
    'every regular expression that is made of a text is linear, and none was out of reach',
    async () => {
      const patternsByFile = await builtPatterns();
      const unreached = files.filter(({ path, sites }) => sites.length > (patternsByFile[path]?.length ?? 0));
      expect(unreached.map(({ path }) => `${path}: have something of parsers.mjs call it`)).toEqual([]);
      const letBe = new Set(
        files.flatMap(({ path, sites }) => (sites.some((site) => site.letBe) ? [path] : [])),
      );
      const problems = [];
      for (const [path, patterns] of Object.entries(patternsByFile))
        for (const pattern of letBe.has(path) ? [] : distinct(patterns)) {
          const steep = await trouble(pattern);
          if (steep !== null) problems.push(`${path} ${steep}`);
        }
      expect(problems).toEqual([]);
    },
    LONG_MS,
  );
});

/** The patterns that are built from texts, by source file. */
async function builtPatterns() {
  const program = fileURLToPath(new URL('../made-patterns.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

/** Selects one pattern per place: patterns of a lexicon differ only in their words. */
function distinct(patterns) {
  const kinds = new Map(
    patterns.map((pattern) => [pattern.source.replace(/[\p{L}\p{M}]+/gu, 'w') + pattern.flags, pattern]),
  );
  return [...kinds.values()].slice(0, MOST_OF_A_FILE);
}
const MOST_OF_A_FILE = 60;
