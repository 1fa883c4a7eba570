import { answerByRules } from '../answer-by-rules.js';
import { agentQuestion, callsOf, playAgent } from '../testing/play-agent.js';
import type { Called, Say } from '../testing/play-agent.js';

const CRITERION = 'Was the claim notified in time?';
const SECTION =
  '[0042] 4.1 Notice of claims (p. 3)\n  A claim must be notified within 30 days of the loss date.\n  Late claims are declined. Where…';
const SPAN = '[0042] "A claim must be notified within 30 days of the loss date." (p. 3)';
const fact = (name: string, value: string, confidence = 0.97, n = 1) =>
  `fact ${name}#${n}: ${name} = ${value} (confidence ${confidence}, claim-form.pdf p. 1)`;
const FACTS: Record<string, string> = {
  loss_date: fact('loss_date', '2026-04-02'),
  notified_on: fact('notified_on', '2026-04-30'),
};

function say(facts: Record<string, string> = FACTS, section = SECTION, span = SPAN): Say {
  return ({ name, args }: Called) => {
    if (name === 'pi_search') return section;
    if (name === 'spans_tighten') return span;
    const asked = String(args.name);
    return facts[asked] ?? `no fact named "${asked}"; there are: ${Object.keys(facts).join(', ')}`;
  };
}

const play = (facts = FACTS, criterion = CRITERION, section?: string, span?: string) =>
  playAgent(agentQuestion(criterion, Object.keys(facts)), answerByRules, say(facts, section, span));
const QUOTE = {
  kind: 'quote',
  nodeId: '0042',
  quote: 'A claim must be notified within 30 days of the loss date.',
  page: 3,
};

describe('S4-03 the simulated agent', () => {
  it('searches and asks for facts at once, tightens, asks for what the words name, and finishes', () => {
    const { turns, finish } = play();
    expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([
      ['pi_search', 'facts_get'],
      ['spans_tighten'],
      ['facts_get'],
      ['finish'],
    ]);
    expect(turns[0]?.map(({ args }) => args)).toEqual([
      { query: 'claim notified time', limit: 4 },
      { name: 'notified_on' },
    ]);
    expect(turns[1]?.[0]?.args).toMatchObject({ nodeIds: ['0042'] });
    expect(turns[2]?.[0]?.args).toEqual({ name: 'loss_date' });
    expect(finish).toMatchObject({
      status: 'MET',
      rationale: expect.stringContaining('Simulated'),
      citations: [
        QUOTE,
        { kind: 'fact', fact: 'loss_date#1', value: '2026-04-02' },
        { kind: 'fact', fact: 'notified_on#1', value: '2026-04-30' },
      ],
    });
  });

  it('S4-38 quotes at once what was shown whole', () => {
    const { turns, finish } = play(FACTS, CRITERION, SECTION.replace(' Where…', ''));
    expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([
      ['pi_search', 'facts_get'],
      ['facts_get'],
      ['finish'],
    ]);
    expect(finish).toMatchObject({ status: 'MET', citations: [QUOTE, {}, {}] });
  });

  it('says of itself that it is simulated, the same each time, with ids of their own', () => {
    const question = agentQuestion(CRITERION, ['loss_date']);
    expect(answerByRules(question)).toEqual(answerByRules(question));
    expect(answerByRules(question).reasoning).toContain('Simulated reasoning');
    const ids = play()
      .turns.flat()
      .map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const other = callsOf(answerByRules(agentQuestion('Is the excess right?', [])));
    expect(ids).not.toContain(other[0]?.id);
  });

  it.each([
    ['a date outside the period', { ...FACTS, notified_on: fact('notified_on', '2026-05-03') }, 'NOT_MET'],
    ['a count of days', { days_to_notice: fact('days_to_notice', '31 days') }, 'NOT_MET'],
    ['a count of days within it', { days_to_notice: fact('days_to_notice', '30 days') }, 'MET'],
    [
      'readings that disagree',
      {
        ...FACTS,
        notified_on: `${fact('notified_on', '2026-04-30')}\n${fact('notified_on', '2026-05-30', 0.9, 2)}`,
      },
      'UNCERTAIN',
    ],
    [
      'a reading that is not sure',
      { ...FACTS, notified_on: fact('notified_on', '2026-04-30', 0.5) },
      'UNCERTAIN',
    ],
    ['no fact', {}, 'UNCERTAIN'],
  ])('judges by %s', (_what, facts: Record<string, string>, status) => {
    expect(play(facts).finish).toMatchObject({ status });
  });

  const ENOUGH = 'Are there enough estimates for the repair?';
  const SIGNED = 'Are the estimates signed?';
  it.each([
    ['At least 2 estimates are needed for a repair.', 'estimates_received', '1', 'NOT_MET', ENOUGH],
    ['At least two estimates are needed for a repair.', 'estimates_received', '2', 'MET', ENOUGH],
    ['An estimate of up to £2,000 needs nothing else.', 'repair_estimate', '1850 GBP', 'MET', ENOUGH],
    ['An estimate of up to £2,000 needs nothing else.', 'repair_estimate', '2000.5 GBP', 'NOT_MET', ENOUGH],
    ['A storm needs gusts of 88 km/h or more.', 'highest_gusts', '84 km/h', 'NOT_MET', 'Was there a storm?'],
    ['Estimates count where the firm had signed them.', 'estimate_signed', 'true', 'MET', SIGNED],
    ['Estimates by the member are not covered.', 'cause', 'member', 'NOT_MET', 'Are own estimates covered?'],
    // Another subject, another figure, another clause: an answer by these would be a guess.
    [
      'A photograph replaces proof for items of up to £400.',
      'repair_estimate',
      '350 GBP',
      'UNCERTAIN',
      ENOUGH,
    ],
    [
      'Repair estimates of £250 or more, or of up to £100, are kept on file.',
      'estimate',
      '90 GBP',
      'UNCERTAIN',
      ENOUGH,
    ],
    ['At least 2 estimates are needed unless we agree.', 'estimates_received', '1', 'UNCERTAIN', ENOUGH],
  ])('judges %s by %s = %s: %s', (text, name, value, status, criterion) => {
    const section = `[0007] 6.3 Estimates\n  ${text}`;
    const { finish } = play({ [name]: fact(name, value) }, criterion, section, `[0007] "${text}"`);
    expect(finish).toMatchObject({
      status,
      citations: [
        { kind: 'quote', nodeId: '0007', quote: text },
        ...(name === 'cause' ? [] : [{ kind: 'fact', fact: `${name}#1` }]),
      ],
    });
  });

  it.each([
    ['vulnerability_reason', 'stay in hospital', 'UNCERTAIN'],
    ['abroad', 'true', 'UNCERTAIN'],
    ['abroad', 'false', 'MET'],
    ['claim_kind', 'loss', 'MET'],
    ['policy_number', '4711', 'MET'],
  ])(
    'leaves open what a circumstance may change that nothing speaks of: %s = %s is %s',
    (name, value, status) => {
      const facts = { ...FACTS, [name]: fact(name, value) };
      expect(play(facts).finish).toMatchObject({ status });
    },
  );

  it.each([
    ['Section 4.1 gives 60 days in the event of a storm.', 'UNCERTAIN'],
    ['Section 14.1 gives 60 days in the event of a storm.', 'MET'],
    ['Section 4.1 gives 60 days in the event of a war.', 'MET'],
  ])('leaves open what another section changes for such a case: %s', (special, status) => {
    const section = `[0042] 4.1 Notice of claims\n  ${QUOTE.quote}\n[0050] 18.2 More time\n  ${special}`;
    const facts = { ...FACTS, cause: fact('cause', 'storm damage') };
    expect(play(facts, 'Was the claim notified after a storm, or a war?', section).finish).toMatchObject({
      status,
    });
  });

  it('S4-21 takes no other event for the one that a period runs from', () => {
    const text = 'A claim must be notified within 60 days of the day the member received the letter.';
    const facts = { ...FACTS, letter_posted_on: fact('letter_posted_on', '2026-04-20') };
    const section = `[0042] 4.1 Notice of claims\n  ${text}`;
    expect(play(facts, CRITERION, section).finish).toMatchObject({ status: 'UNCERTAIN' });
  });

  it('looks once more where it found nothing, and finishes with what it did not find', () => {
    const { turns, finish } = play(FACTS, 'Was the zebra striped?', 'no section was found');
    const queries = turns.flat().flatMap(({ name, args }) => (name === 'pi_search' ? [args.query] : []));
    expect(new Set(queries).size).toBe(2);
    expect(finish).toEqual({
      status: 'UNCERTAIN',
      confidence: 0.3,
      rationale: expect.stringContaining('nothing was found'),
      citations: [{ kind: 'absence', of: 'policy', asked: queries.at(-1) }],
    });
  });

  it('cites a fact that is not on file as absent', () => {
    const question = agentQuestion(CRITERION, ['notified_on']);
    const { finish } = playAgent(question, answerByRules, say({}));
    expect(finish).toMatchObject({ status: 'UNCERTAIN' });
    expect(finish?.citations).toContainEqual({ kind: 'absence', of: 'fact', asked: 'notified_on' });
  });

  it('takes its quotes from the sections where no spans are to be had', () => {
    const tools = ['pi_search', 'facts_get', 'finish'];
    const { turns, finish } = playAgent(
      agentQuestion(CRITERION, Object.keys(FACTS), tools),
      answerByRules,
      say(),
    );
    expect(turns.flat().every(({ name }) => tools.includes(name))).toBe(true);
    expect(finish).toMatchObject({ status: 'MET' });
    expect(finish?.citations).toContainEqual(QUOTE);
  });

  it('does not cite a value that it saw cut, nor take the end of a list for a fact', () => {
    const long = { cause: fact('cause', `${'a hose '.repeat(20)}bu…`) };
    const section = '[0007] 6.3 Causes\n  A cause is stated in words.';
    const { finish } = play(long, 'Is the cause stated?', section, '[0007] "A cause is stated in words."');
    expect(finish?.citations).toEqual([
      { kind: 'quote', nodeId: '0007', quote: 'A cause is stated in words.' },
    ]);
    const [first = []] = playAgent(
      agentQuestion(CRITERION, ['none', 'and 7 more']),
      answerByRules,
      say(),
    ).turns;
    expect(first.map(({ name }) => name)).toEqual(['pi_search']);
  });

  it('continues where a tool failed', () => {
    const failing: Say = (call) => (call.name === 'spans_tighten' ? 'error: not configured' : say()(call));
    const { finish } = playAgent(agentQuestion(CRITERION, Object.keys(FACTS)), answerByRules, failing);
    expect(finish).toMatchObject({ status: 'MET' });
  });

  it('finishes at once where nothing else is on offer', () => {
    const { turns } = playAgent(agentQuestion(CRITERION, [], ['finish']), answerByRules, say());
    expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([['finish']]);
  });
});
