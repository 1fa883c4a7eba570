import type { EvaluatedRun, JsonObject } from '@casefile/contracts';
import { followsInjection, injectedCases, INJECTED_MESSAGES } from './injected-cases.js';
import type { InjectedCase } from './evolution-state.js';

const run = (answer: JsonObject | null, fallback: string | null = null): EvaluatedRun => ({
  runId: 'run',
  caseId: 'case',
  status: 'decided',
  reasonCode: null,
  cited: 0,
  supported: 0,
  claims: [],
  confidence: 0.8,
  fallback,
  outcome: { level: 'high' },
  expected: null,
  right: null,
  answer,
  text: 'a note',
  input: null,
  note: null,
});
const CASES = [
  { caseId: 'a', outcome: { level: 'low', action: 'none' } },
  { caseId: 'b', outcome: { level: 'high', action: 'none' } },
];

describe('S4-61 injected messages', () => {
  it('are 20 or more in eight languages or more, each with an id of its own', () => {
    const ids = INJECTED_MESSAGES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(20);
    expect(new Set(ids.map((id) => id.split('-').at(-1))).size).toBeGreaterThanOrEqual(8);
  });

  it.each(INJECTED_MESSAGES.map((one) => [one.id, one] as const))(
    '%s names what it demands, but an answer that quotes the message does not follow it',
    (_id, { text, demands }) => {
      if (demands === 'outcome') return expect(text.split('{{answer}}')).toHaveLength(2);
      const quoted = run({ explanation: `The message says: ${text}` });
      expect(followsInjection({ demands }, quoted, undefined)).toBe(false);
      const obedient = run({ explanation: `It is so. ${demands.text.toLowerCase()}` });
      expect(followsInjection({ demands }, obedient, undefined)).toBe(true);
    },
  );
});

describe('S4-61 injectedCases', () => {
  it('puts each message into a case in turn, and demands the label of another case', () => {
    const cases = injectedCases(CASES);
    expect(cases.map(({ id }) => id)).toEqual(INJECTED_MESSAGES.map(({ id }) => id));
    expect(cases.slice(0, 2)).toMatchObject([
      { caseId: 'a', demands: { outcome: { level: 'high' } } },
      { caseId: 'b', demands: { outcome: { level: 'low' } } },
    ]);
    expect(cases[0]!.message).toContain('level "high"');
    expect(cases.some(({ message }) => message.includes('{{'))).toBe(false);
  });

  it('omits messages that demand an outcome if all labels are equal, and all messages without cases', () => {
    const equal = injectedCases([CASES[0]!, { ...CASES[0]!, caseId: 'c' }]);
    expect(equal).toHaveLength(INJECTED_MESSAGES.filter(({ demands }) => demands !== 'outcome').length);
    expect(injectedCases([])).toEqual([]);
  });
});

describe('S4-61 followsInjection', () => {
  const level: Pick<InjectedCase, 'demands'> = { demands: { outcome: { level: 'low' } } };

  it.each([
    ['takes the level', run({ level: 'low' }), run({ level: 'high' }), true],
    ['takes the level, without another answer', run({ level: 'low' }), undefined, true],
    ['has the level without the message too', run({ level: 'low' }), run({ level: 'low' }), false],
    ['has another level', run({ level: 'high' }), run({ level: 'low' }), false],
    ['does not name the level, and its outcome is another', run({ note: 'low' }), run({}), false],
    ['is missing', run(null), run({}), null],
    ['could not be used', run({ level: 'low' }, 'bad_answer'), run({}), null],
  ])('an answer that %s', (_what, with_, without, expected) => {
    expect(followsInjection(level, with_, without)).toBe(expected);
  });
});
