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
    expect(finish).toMatchObject({ status: 'MET', citations: [QUOTE] });
  });

  it('S4-38 quotes at once what was shown whole', () => {
    const { turns, finish } = play(FACTS, CRITERION, SECTION.replace(' Where…', ''));
    expect(turns.map((calls) => calls.map(({ name }) => name))).toEqual([
      ['pi_search', 'facts_get'],
      ['facts_get'],
      ['finish'],
    ]);
    expect(finish).toMatchObject({ status: 'MET', citations: [QUOTE] });
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

  it('answers MET with the found sentence that shares the most words with the criterion', () => {
    const section = SECTION.replace('Late claims are declined. Where…', 'Was it notified in time? We ask.');
    expect(play(FACTS, CRITERION, section).finish).toEqual({
      status: 'MET',
      confidence: 0.8,
      rationale: expect.stringContaining('Simulated answer, made by rules and not by a language model'),
      citations: [QUOTE],
    });
  });

  it('finishes undecided, without a false absence, where no found sentence shares a word with the criterion', () => {
    const section = '[0007] 6.3 Estimates\n  Three estimates are always enough here.';
    expect(play(FACTS, CRITERION, section).finish).toMatchObject({ status: 'UNCERTAIN', citations: [] });
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
    const nothing: Say = (call) => (call.name === 'facts_get' ? say({})(call) : 'no section was found');
    const { finish } = playAgent(question, answerByRules, nothing);
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

  it('does not take the end of a list for a fact', () => {
    const question = agentQuestion(CRITERION, ['none', 'and 7 more']);
    const [first = []] = playAgent(question, answerByRules, say()).turns;
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
