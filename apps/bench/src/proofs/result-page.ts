import type { Proof, ProofRow } from './proof.js';
import type { MutationRow } from './suite.js';

const TITLE = '# Proofs';
const INTRO = `Results of \`npm run proofs\`: the promises R1 to R18 of the product, each shown by a run that disturbs real services.
\`npm run proofs -- R7 --seed 3 --short\` runs one of them and replaces its row. Short forms also run in \`npm test\`. They assert the
promise and no speed. The figure required is that of the long form. The row of a long form is not replaced by that of a short form.
A row names the commit and the date of its run, and the load of the machine when that run began: the mean number of running processes over
one minute, and the number of cores. A promise without a run is listed as not run.
[Decision 0095](../decisions/0095-each-proof-has-a-mutation.md) explains how a mechanism is switched off.`;

const RESULTS = '## Results';
const RESULT_HEAD = [
  '| | promise | figure required (long form) | measured | form, seed | date, commit, load | result |',
  '|---|---|---|---|---|---|---|',
];
const NOT_RUN = 'not run';
const MUTATIONS = '## Mutations';
const MUTATION_HEAD = [
  'Each proof in its short form with its mechanism switched off. `found`: the proof failed then.',
  '',
  '| | mechanism | switched off | measured then | date, commit, load | result |',
  '|---|---|---|---|---|---|',
];

export interface PageFacts {
  /** Date as YYYY-MM-DD. */
  date: string;
  /** Commit that was run, with a note if files were changed since. */
  commit: string;
  /** Mean number of running processes over one minute, and the number of cores. */
  load: string;
  seed: number;
  short: boolean;
}

/** Returns the rows of results as lines of a table. */
export function resultLines(proofs: readonly Proof[], rows: readonly ProofRow[], facts: PageFacts): string[] {
  return rows.map(({ id, measured, passed }) => {
    const proof = proofs.find((one) => one.id === id);
    const form = `${facts.short ? 'short' : 'long'}, ${facts.seed}`;
    const result = passed ? 'kept' : '**not kept**';
    return tableRow(id, proof?.promise, proof?.figure, measured, form, when(facts), result);
  });
}

/** Returns the rows of mutations as lines of a table. */
export function mutationLines(
  proofs: readonly Proof[],
  rows: readonly MutationRow[],
  facts: PageFacts,
): string[] {
  return rows.map(({ id, what, measured, found }) => {
    const proof = proofs.find((one) => one.id === id);
    return tableRow(id, proof?.mechanism, what, measured, when(facts), found ? 'found' : '**not found**');
  });
}

/** Returns the table of results with its head. */
export const resultTable = (lines: readonly string[]): string => [...RESULT_HEAD, ...lines].join('\n');

/** Returns the table of mutations with its head. */
export const mutationTable = (lines: readonly string[]): string => [...MUTATION_HEAD, ...lines].join('\n');

/**
 * Returns the page with these rows in place of those with the same ids. Other rows stay as they are in `before`.
 * A promise without a row is listed as not run.
 */
export function resultPage(
  proofs: readonly Proof[],
  before: string,
  { results = [], mutations = [] }: { results?: readonly string[]; mutations?: readonly string[] },
): string {
  const isLong = (line: string | undefined): boolean => line?.includes('| long, ') === true;
  const earlierResults = rowsOf(before, RESULTS);
  const newResults = results.filter((line) => isLong(line) || !isLong(earlierResults.get(idOf(line))));
  const noResults = proofs.map((one) => tableRow(one.id, one.promise, one.figure, '', '', '', NOT_RUN));
  const noMutations = proofs.map((one) =>
    tableRow(one.id, one.mechanism, one.mutation.what, '', '', NOT_RUN),
  );
  const earlierMutations = rowsOf(before, MUTATIONS).values();
  const sections = [
    `${RESULTS}\n\n${resultTable(merged([...noResults, ...earlierResults.values(), ...newResults]))}`,
    `${MUTATIONS}\n\n${mutationTable(merged([...noMutations, ...earlierMutations, ...mutations]))}`,
  ];
  return [TITLE, INTRO, ...sections].join('\n\n') + '\n';
}

const when = ({ date, commit, load }: PageFacts): string => `${date}, ${commit}, ${load}`;

const idOf = (line: string): string => /^\| (R\d+) \|/.exec(line)?.[1] ?? '';

const tableRow = (...cells: (string | number | undefined)[]): string =>
  `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '/')).join(' | ')} |`;

/** Returns the last line of each id, in the order of the ids. */
function merged(lines: readonly string[]): string[] {
  const all = new Map(lines.map((line) => [idOf(line), line]));
  return [...all.values()].toSorted((a, b) => Number(idOf(a).slice(1)) - Number(idOf(b).slice(1)));
}

/** Returns the rows of a section, by their ids. */
function rowsOf(page: string, title: string): Map<string, string> {
  const start = page.indexOf(`${title}\n`);
  const rest = start < 0 ? '' : page.slice(start + title.length);
  const [section = ''] = rest.split('\n## ');
  const lines = section.split('\n').filter((line) => idOf(line) !== '');
  return new Map(lines.map((line) => [idOf(line), line]));
}
