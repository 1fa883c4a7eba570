import { readFileSync } from 'node:fs';
import { answerByRules } from '../answer-by-rules.js';
import { readScript, type ScriptInput } from '../script.js';
import { agentQuestion, fence, playAgent } from '../testing/play-agent.js';
import type { Say } from '../testing/play-agent.js';
import { SAMPLE_ANSWERS } from './policy-answers.js';

const CRITERION = 'Was the claim notified in time?';
const SENTENCE = 'A claim must be notified within 30 days of the loss date.';
const SECTION = `[0042] 4.1 Notice of claims (p. 3)\n  ${SENTENCE}\n[0043] 4.2 Late claims\n  Late claims are declined.`;
const FACTS: Record<string, string> = {
  loss_date: 'fact loss_date#1: loss_date = 2026-04-02 (confidence 0.97, form.pdf p. 1)',
  notified_on:
    'fact notified_on#1: notified_on = 30 days\nfact notified_on#2: notified_on = 31 days (confidence 0.9)',
  cause: `fact cause#1: cause = ${'a hose '.repeat(20)}bu…`,
};
const say: Say = ({ name, args }) =>
  name === 'pi_search' ? SECTION : (FACTS[String(args.name)] ?? `no fact named "${String(args.name)}"`);

type Answers = NonNullable<ScriptInput['policyAnswers']>;

function finishWith(policyAnswers: Answers, about = 'policy: House rules\ncase: A burst hose') {
  const question = agentQuestion(CRITERION, ['loss_date', 'notified_on', 'cause', 'weather']);
  const [system, prompt] = question.turns;
  const user = { role: 'user' as const, text: `About\n${fence(about)}\n\n${prompt!.text}` };
  const answers = readScript({ policyAnswers }).policyAnswers;
  const asked = { ...question, turns: [system!, user] };
  return playAgent(asked, (one) => answerByRules(one, answers), say).finish;
}

describe('scripted answers to criteria', () => {
  it('finish with status, confidence and rationale of the script, which says that it is simulated', () => {
    const answer = {
      criterion: CRITERION,
      status: 'NOT_MET',
      confidence: 0.9,
      rationale: 'Too late.',
    } as const;
    expect(finishWith([answer])).toEqual({
      status: 'NOT_MET',
      confidence: 0.9,
      rationale: 'Simulated answer, scripted and not made by a language model: Too late.',
      citations: [{ kind: 'quote', nodeId: '0042', quote: SENTENCE, page: 3 }],
    });
  });

  it('cite quotes where the agent found them, and none that it did not find', () => {
    const quotes = ['Late claims are declined.', 'within 30 days', 'Words of no section.'];
    expect(finishWith([{ criterion: CRITERION, status: 'MET', quotes }])).toMatchObject({
      confidence: 0.8,
      citations: [
        { kind: 'quote', nodeId: '0043', quote: 'Late claims are declined.' },
        { kind: 'quote', nodeId: '0042', quote: 'within 30 days', page: 3 },
      ],
    });
  });

  it('cite every reading of a fact by its id and value, and no value that was cut', () => {
    const facts = ['notified_on', 'loss_date', 'cause', 'weather'];
    expect(finishWith([{ criterion: CRITERION, status: 'MET', quotes: [], facts }])?.citations).toEqual([
      { kind: 'fact', fact: 'notified_on#1', value: 30, unit: 'days' },
      { kind: 'fact', fact: 'notified_on#2', value: 31, unit: 'days' },
      { kind: 'fact', fact: 'loss_date#1', value: '2026-04-02' },
    ]);
  });

  it('cite what is not on file only if they are undecided', () => {
    const absent = { kind: 'absence', of: 'fact', asked: 'weather' };
    const undecided: Answers[number] = { criterion: CRITERION, status: 'UNCERTAIN', quotes: [] };
    expect(finishWith([undecided])?.citations).toEqual([absent]);
    expect(finishWith([{ ...undecided, status: 'NOT_MET' }])?.citations).toEqual([]);
  });

  it.each<[what: string, answers: Answers, status: string]>([
    ['of another criterion', [{ criterion: 'Was it late?', status: 'NOT_MET' }], 'MET'],
    ['of another case', [{ criterion: CRITERION, case: 'A broken hob', status: 'NOT_MET' }], 'MET'],
    ['of this case', [{ criterion: CRITERION, case: 'A burst hose', status: 'NOT_MET' }], 'NOT_MET'],
    [
      'of this case, before that of any case',
      [
        { criterion: CRITERION, case: 'A burst hose', status: 'UNCERTAIN' },
        { criterion: CRITERION, status: 'NOT_MET' },
      ],
      'UNCERTAIN',
    ],
  ])(
    'belong to a criterion by its text and to a case by its title: an answer %s',
    (_what, answers, status) => {
      expect(finishWith(answers)).toMatchObject({ status });
    },
  );

  it('with a case do not belong to a case without a title', () => {
    const answer = { criterion: CRITERION, case: 'A burst hose', status: 'NOT_MET' } as const;
    expect(finishWith([answer], 'policy: House rules')).toMatchObject({ status: 'MET' });
  });

  it('are refused with the names of their wrong fields', () => {
    const wrong = { criterion: ' ', status: 'MAYBE', confidence: 7, quote: 'x' };
    expect(() => readScript({ policyAnswers: [wrong] })).toThrow(
      /policyAnswers[^]*criterion[^]*status[^]*confidence[^]*quote/,
    );
  });

  it('are those for the bundled sample cases where the script has none', () => {
    const samples = JSON.parse(
      readFileSync(new URL('../../../../samples/policy-cases.json', import.meta.url), 'utf8'),
    ) as { title: string; criteria: { text: string }[]; facts: { name: string }[] }[];
    expect(readScript({}).policyAnswers).toEqual(SAMPLE_ANSWERS);
    expect(SAMPLE_ANSWERS.map((one) => [one.case, one.criterion])).toEqual(
      samples.flatMap(({ title, criteria }) => criteria.map(({ text }) => [title, text])),
    );
    for (const { case: title, facts } of SAMPLE_ANSWERS) {
      const names = samples.find((sample) => sample.title === title)?.facts.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(facts));
    }
  });
});
