// Measures how verdicts withstand models that quote correctly and conclude wrongly (samples/eval/trust).
// Options: [--kind KIND, or sentences: research sentences only] [--every N: every N-th case, for a quick run]
// [--by-program: no cross-examination, findings by program only] [--write FILE]. Exit code 1: a limit is
// missed.
import { writeFileSync } from 'node:fs';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { allCases } from '../trust-run/all-cases.js';
import { missedIn, reportOf, rowsOf } from '../trust-run/figures.js';
import { judgeAll } from '../trust-run/measure.js';
import { readSets } from '../trust-run/read-set.js';
import { sentenceCases, tiersOf } from '../trust-run/research-cases.js';
import { judgeSentences, missedSentences, sentencesReport } from '../trust-run/sentences.js';
import { MODES } from '../trust-run/trust-case.js';
import { trustWorld } from '../trust-run/trust-world.js';

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};
const [kind, file] = [option('kind'), option('write')];
const every = Number(option('every') ?? 1);

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const sets = readSets();
  const cases = allCases(sets)
    .filter((one) => kind === undefined || one.kind === kind)
    .filter((_, at) => at % every === 0);
  const world = await trustWorld({
    cases,
    policies: sets.policies,
    tiers: tiersOf(sets.research),
    crossExamine: !process.argv.includes('--by-program'),
  });
  const sections: string[] = [];
  const missed: string[] = [];
  try {
    for (const mode of kind === 'sentences' ? [] : MODES) {
      const own = cases.filter(({ honest }) => honest === mode.honest);
      const rows = rowsOf(await judgeAll(world, own, mode.examiner));
      sections.push(reportOf(mode.title, rows));
      missed.push(...missedIn(mode, rows));
      console.log(sections.at(-1));
    }
    if (kind === undefined || kind === 'sentences') {
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
