// The spec files that `npm test -- ...` runs, and whether they start programs, which must be built first.
// Specs that start no program read the sources.
import { parseArgs } from 'node:util';
import { affectedTable, findAffected } from '../affected.mjs';
import { isBuilt } from '../build.mjs';
import { root } from '../root.mjs';
import { BUILT } from './graph.mjs';
import { readGraph } from './tree.mjs';

/**
 * Returns the arguments for Jest, and whether the build must be current for the chosen specs. `--affected`
 * (with `--base REF`) stands for the affected spec files; everything else is passed on. `args` is null if no
 * spec file is affected.
 * @param {string[]} given arguments of the command line
 * @param {boolean} isWhole whether `--affected` stands for those of `npm run test:whole`
 */
export async function chooseSpecs(given, isWhole = false) {
  if (given.length === 0) return { args: [], needsBuild: true };
  if (!given.includes('--affected')) return { args: given, needsBuild: await needBuild(given) };
  const { base, rest } = withoutBase(given.filter((one) => one !== '--affected'));
  const found = findAffected({ base });
  console.log(`${affectedTable(found, { list: false })}\n`);
  const files = found.specs.filter((spec) => spec.isWhole === isWhole).map(({ file }) => file);
  if (files.length === 0) return { args: null, needsBuild: false };
  return { args: ['--runTestsByPath', ...files, ...rest], needsBuild: await needBuild(files) };
}

/** Returns the options that Jest does not know, and the others. */
function withoutBase(given) {
  const { tokens } = parseArgs({
    args: given,
    strict: false,
    tokens: true,
    options: { base: { type: 'string' } },
  });
  const option = tokens.find(({ kind, name }) => kind === 'option' && name === 'base');
  if (option === undefined) return { rest: given };
  const rest = given.toSpliced(option.index, option.inlineValue ? 1 : 2);
  return { base: option.value, rest };
}

/**
 * Returns whether to build: a spec file that one of the arguments selects starts a program, or none is
 * selected. Also true if a build would change nothing, because finding out takes longer.
 */
async function needBuild(args) {
  if (await isBuilt()) return true;
  const graph = readGraph(root);
  const patterns = args.filter((one) => !one.startsWith('-')).map(pattern);
  const chosen = graph.specs.filter((file) => patterns.some((one) => one.test(`${root}/${file}`)));
  if (chosen.length === 0) return true;
  const building = graph.specsOf([BUILT]);
  return chosen.some((file) => building.has(file));
}

/** Jest reads an argument as a regular expression. The value of an option selects files too many at worst. */
function pattern(text) {
  try {
    return new RegExp(text.replace(/^\.\//, ''), 'i');
  } catch {
    return /(?!)/;
  }
}
