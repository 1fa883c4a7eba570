import { readFileSync } from 'node:fs';
import { citableFacts, CRITERION_STATUSES, z, type Fact } from '@casefile/contracts';
import { sectionsFound } from '../testing/policy-builders.js';
import { heuristicAnswer } from './check-by-rules.js';

const folder = new URL('../../../../../samples/eval/policy-checks/', import.meta.url);
const value = z.union([z.string(), z.tuple([z.string(), z.string()])]);
const questionSchema = z.object({
  id: z.string(),
  half: z.enum(['seen', 'unseen']),
  language: z.string(),
  sections: z.record(z.string(), z.string()),
  facts: z.record(z.string(), value),
  question: z.string(),
  expected: z.enum(CRITERION_STATUSES),
  trap: z.string().optional(),
});
type Question = z.infer<typeof questionSchema>;

const readSet = (name: string): Question[] =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => questionSchema.parse(JSON.parse(line)));

function factOf([name, given]: [string, z.infer<typeof value>]): Fact {
  const [written, unit] = typeof given === 'string' ? [given] : given;
  const isNumber = unit !== undefined && /^\d+(?:\.\d+)?$/.test(written);
  return {
    name,
    value: isNumber ? Number(written) : written,
    confidence: 0.98,
    ...(unit === undefined ? {} : { unit }),
  };
}

const claimsPolicy = readFileSync(
  new URL('../../../../../samples/policies/claims-handling.md', import.meta.url),
  'utf8',
);
/** Sections of a policy about another matter, without their numbers. */
const otherSections = [...claimsPolicy.matchAll(/^### [\d.]+ (?<title>.+)\n+(?<text>(?:(?!^#).*\n)+)/gm)].map(
  ({ groups }) => ({ title: groups!['title']!, text: groups!['text']!.trim() }),
);

function answerTo({ sections, facts, question, language }: Question, others: typeof otherSections = []) {
  const found = [...Object.entries(sections).map(([title, text]) => ({ title, text })), ...others];
  return heuristicAnswer({
    criterion: { id: 'c', text: question },
    facts: citableFacts(Object.entries(facts).map(factOf)),
    evidence: sectionsFound(...found),
    language,
  });
}

/** Counts answers by their result, and lists the wrong ones. */
function resultsOf(questions: readonly Question[], others: typeof otherSections = []) {
  const answered = questions.map((one) => ({ ...one, answer: answerTo(one, others) }));
  const decided = answered.filter(({ answer }) => answer.status !== 'UNCERTAIN');
  const wrong = decided.filter(({ answer, expected }) => answer.status !== expected);
  if (process.env['SHOW'] !== undefined)
    for (const { id, half, expected, answer } of answered)
      if (half === process.env['SHOW'] || (process.env['SHOW'] === 'wrong' && wrong.some((w) => w.id === id)))
        console.info(id, expected, answer.status, answer.rationale);
  return {
    decided: decided.length - wrong.length,
    wrong: wrong.map(({ id, half, answer }) => (half === 'seen' ? `${id} ${answer.status}` : half)),
  };
}

const halves = ['seen', 'unseen'] as const;

describe.each(halves)('plain questions without a model, the %s half', (half) => {
  it('S4-40 decides most that state facts, unit and bound, and none wrongly', () => {
    const own = readSet('plain-questions').filter((one) => one.half === half);
    const plain = own.filter(({ trap }) => trap === undefined);
    expect(resultsOf(own).wrong).toEqual([]);
    expect(resultsOf(plain).decided).toBeGreaterThanOrEqual(Math.ceil(plain.length * 0.66));
  });
});

describe.each(halves)('rules that another sentence changes, the %s half', (half) => {
  it('S4-40 decides none wrongly, and still decides where nothing changes the rule', () => {
    const own = readSet('changed-rules').filter((one) => one.half === half);
    const { wrong, decided } = resultsOf(own);
    expect(wrong).toEqual([]);
    expect(decided).toBeGreaterThanOrEqual(4);
  });
});

it('S4-40 decides none wrongly among exceptions, amendments, dates of effect, tables, currencies and net prices', () => {
  const own = readSet('amended-policies');
  expect(own.filter(({ trap }) => trap !== 'control').length).toBeGreaterThanOrEqual(40);
  expect(resultsOf(own).wrong).toEqual([]);
  expect(resultsOf(own.filter(({ trap }) => trap === 'control')).decided).toBeGreaterThanOrEqual(3);
});

it('S4-40 reads a table if the case plainly means one row and column, and decides none wrongly', () => {
  const tables = readSet('policy-tables');
  const { wrong, decided } = resultsOf(tables);
  expect(wrong).toEqual([]);
  expect(decided).toBeGreaterThanOrEqual(10);
});

it('S4-40 decides none wrongly among many sections of another matter', () => {
  expect(otherSections.length).toBeGreaterThan(60);
  const all = [...readSet('plain-questions'), ...readSet('changed-rules')];
  const { wrong, decided } = resultsOf(all, otherSections);
  expect(wrong).toEqual([]);
  expect(decided).toBeGreaterThanOrEqual(15);
});
