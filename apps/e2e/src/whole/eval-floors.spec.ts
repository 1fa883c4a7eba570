import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EvalResult } from '@casefile/cli/eval/result';
import { temporaryFolder } from '@casefile/contracts/testing';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { runCasefile } from '../testing/run-casefile.js';

const PATTERNS = fileURLToPath(new URL('../../../../samples/scam-patterns.json', import.meta.url));
const seenSet = (name: string) =>
  fileURLToPath(new URL(`../../../../samples/eval/${name}.jsonl`, import.meta.url));

/** A count of an evaluation: at least, or at most, so many. */
interface Bound {
  what: string;
  of(result: EvalResult): number;
  atLeast?: number;
  atMost?: number;
}
const rate = (name: string) => (result: EvalResult) => {
  const count = result.rates[name];
  if (count === undefined) throw new Error(`there is no share "${name}"`);
  return count.part;
};
const right = (result: EvalResult) => result.answers.right.part;

/**
 * Figures by rules on the unseen halves when the bounds were set, less a margin: one answer of a set below 50, and two of 180.
 * A change that moves one borderline item is no regression, and one answer of 22 is already 5 % of the set. Errors that harm
 * (an outage closed, a scam dismissed, a report that is too sure) have no margin.
 */
const BOUNDS: Record<string, Bound[]> = {
  'scam-verdict': [
    // Decision 0028: scams dismissed 0 of 90, harmless texts left to review 16 of 90.
    { what: 'scams dismissed', of: rate('scams dismissed'), atMost: 0 },
    { what: 'harmless to review', of: rate('harmless texts left to review'), atMost: 16 },
    { what: 'harmless acted on', of: rate('harmless texts acted on'), atMost: 0 },
    { what: 'scams acted on', of: rate('scams acted on'), atLeast: 23 },
  ],
  'message-screening': [
    // Decision 0028: precision 0.97 (3 harmless acted on), recall 0.92 (83 of 90).
    { what: 'scams acted on', of: rate('scams probed or engaged'), atLeast: 83 },
    { what: 'harmless acted on', of: rate('harmless messages probed or engaged'), atMost: 3 },
    { what: 'right', of: right, atLeast: 168 },
  ],
  'policy-check': [
    { what: 'right', of: right, atLeast: 2 },
    {
      what: 'wrong decisions',
      of: ({ rates: { 'decisions (MET, NOT_MET) that are right': decisions } }) =>
        (decisions?.of ?? 0) - (decisions?.part ?? 0),
      atMost: 0,
    },
  ],
  incident: [
    { what: 'right', of: right, atLeast: 10 },
    { what: 'closed', of: rate('labelled page or ticket, closed without a person'), atMost: 1 },
    { what: 'paged', of: rate('labelled ticket or no action, paged'), atMost: 2 },
    { what: 'causes in reports', of: rate('words of the cause in the report'), atLeast: 20 },
  ],
  research: [
    { what: 'quoted', of: rate('deciding passages quoted word for word'), atLeast: 9 },
    { what: 'too sure', of: rate('reports surer than the label'), atMost: 0 },
    { what: 'unclear, acted on', of: rate('labelled unclear, acted on'), atMost: 0 },
    { what: 'without a report', of: rate('without a report'), atMost: 0 },
  ],
};

describe('T-30 by rules, on sets that only totals are given of', () => {
  let database: TestDatabase;
  const savedEnv = { ...process.env };
  beforeAll(async () => {
    database = await testDatabase();
    Object.assign(process.env, {
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      CASEFILE_DATA: temporaryFolder('floors'),
      LOG_LEVEL: 'fatal',
      LLM_PROVIDER: 'none',
      RDAP_BASE_URL: 'off',
    });
  });
  afterAll(async () => {
    process.env = savedEnv;
    await database.drop();
  });

  it.each(Object.entries(BOUNDS))('%s is no worse than it was', async (playbook, bounds) => {
    const results = ['--results', join(temporaryFolder('floors'), 'r.jsonl'), '--json'];
    const { code, lines, errors } = await runCasefile(
      ...['eval', '--direct', '--rules', '--playbook', playbook, '--set', 'unseen', ...results],
    );
    expect([code, errors.filter((line) => !/judging in this process|no scam patterns/.test(line))]).toEqual([
      0,
      [],
    ]);
    const { result } = JSON.parse(lines[0]!) as { result: EvalResult };
    expect(result).toMatchObject({ set: { unseen: true }, items: { withoutVerdict: 0 }, cost: { calls: 0 } });
    const missed = bounds.filter(({ of, atLeast = 0, atMost = Infinity }) => {
      const found = of(result);
      return found < atLeast || found > atMost;
    });
    expect(missed.map(({ what, of }) => `${what}: ${of(result)}`)).toEqual([]);
  });

  it('S3-10 the look-ups of known patterns find no fewer kinds than decision 0016 has', async () => {
    const { code, lines } = await runCasefile(
      ...[
        'eval',
        '--playbook',
        'message-screening',
        '--look-ups',
        '--patterns',
        PATTERNS,
        '--dataset',
        seenSet('unseen'),
        '--json',
      ],
    );
    expect(code).toBe(0);
    const { byLanguage } = JSON.parse(lines[0]!) as {
      byLanguage: { language: string; at1: { part: number }; at5: { part: number } }[];
    };
    const found = Object.fromEntries(
      byLanguage.map(({ language, at1, at5 }) => [language, [at1.part, at5.part]]),
    );
    // Of 30 scams each: the first match, and one of the first five.
    for (const [language, [first, five]] of Object.entries({
      en: [27, 28],
      hi: [26, 28],
      'hi-Latn': [21, 25],
    })) {
      expect(found[language]?.[0]).toBeGreaterThanOrEqual(first!);
      expect(found[language]?.[1]).toBeGreaterThanOrEqual(five!);
    }
  });
});
