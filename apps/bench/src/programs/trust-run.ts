// Measures how verdicts withstand models that quote correctly and conclude wrongly (samples/eval/trust).
// Options: [--kind KIND, or sentences: research sentences only] [--sorts: the pairs of samples/eval/trust/sorts only]
// [--arm none|same|yes|labels] [--every N: every N-th case, for a quick run]
// [--by-program: no cross-examination, findings by program only] [--write FILE]. Exit code 1: a limit is
// missed.
import { writeFileSync } from 'node:fs';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { allCases, worldOf } from '../trust-run/all-cases.js';
import { sortsReport, type JudgedMode } from '../trust-run/figures-by-sort.js';
import { readSorts } from '../trust-run/read-sorts.js';
import { missedIn, reportOf, rowsOf } from '../trust-run/figures.js';
import { judgeAll } from '../trust-run/measure.js';
import { readSets } from '../trust-run/read-set.js';
import { sentenceCases } from '../trust-run/research-cases.js';
import { judgeSentences, missedSentences, sentencesReport } from '../trust-run/sentences.js';
import { MODES } from '../trust-run/trust-case.js';
import { trustWorld } from '../trust-run/trust-world.js';

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};
const [kind, file, arm] = [option('kind'), option('write'), option('arm')];
const onlySorts = process.argv.includes('--sorts');
const every = Number(option('every') ?? 1);

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const sets = readSets();
  const sorts = readSorts();
  const cases = allCases(sets, sorts)
    .filter((one) => !onlySorts || one.sort !== undefined)
    .filter((one) => kind === undefined || one.kind === kind)
    .filter((_, at) => at % every === 0);
  const world = await trustWorld({
    cases,
    ...worldOf(sets, sorts),
    crossExamine: !process.argv.includes('--by-program'),
  });
  const sections: string[] = [];
  const missed: string[] = [];
  const judgedModes: JudgedMode[] = [];
  const modes = MODES.filter(({ examiner }) => arm === undefined || examiner === arm);
  try {
    for (const mode of kind === 'sentences' ? [] : modes) {
      const own = cases.filter(({ honest }) => honest === mode.honest);
      const judged = await judgeAll(world, own, mode.examiner);
      judgedModes.push({ ...mode, judged });
      const rows = rowsOf(judged);
      sections.push(reportOf(mode.title, rows));
      missed.push(...missedIn(mode, rows));
      console.log(sections.at(-1));
    }
    sections.push(sortsReport(judgedModes));
    console.log(sections.at(-1));
    if ((kind === undefined && !onlySorts) || kind === 'sentences') {
      const own = sentenceCases(sets.research).filter((_, at) => at % every === 0);
      const sentences = await judgeSentences(world, own);
      sections.push(sentencesReport(sentences));
      missed.push(...missedSentences(sentences));
      console.log(sections.at(-1));
    }
  } finally {
    await world.close();
  }
  if (file !== undefined) {
    const head = `# Answers that quote correctly and conclude wrongly\n\n\`npm run measure -- trust-run --write ${file}\`, ${new Date().toISOString().slice(0, 10)}, sets of samples/eval/trust. An examiner that answers from the labels shows the mechanism, not the ability of a model.\n`;
    writeFileSync(file, head + sections.join(''));
  }
  for (const line of missed) console.log(`MISSED ${line}`);
  return missed.length === 0;
});
