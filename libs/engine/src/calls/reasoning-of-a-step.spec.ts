import { anAnswer, aQuestion, aWork, journalBench } from './testing/journal-bench.js';

const ALOUD = { id: 'p/think-aloud@1', source: '', render: () => 'Think:\n- Where?' };

it('S2-03 S2-08 the playbook’s encouragement goes to tool selection of providers that ask for it; the record has what was sent', async () => {
  const selection = { ...aQuestion, kind: 'tool-selection' as const };
  const on = journalBench({ enableReasoning: true, thinkAloud: ALOUD });
  await on.journal.call(1, selection, null);
  await on.journal.call(2, aQuestion, null);
  const off = journalBench({ thinkAloud: ALOUD });
  await off.journal.call(1, selection, null);
  const silent = journalBench({ enableReasoning: true });
  await silent.journal.call(1, selection, null);
  expect(JSON.stringify(on.requests[0])).toContain('- Where?');
  expect(on.intents[0]?.interaction).toMatchObject({
    promptId: 'p@1+p/think-aloud@1',
    request: on.requests[0],
  });
  expect(on.requests[1]).toEqual(aQuestion);
  expect(off.requests[0]).toEqual(selection);
  expect(silent.requests[0]).toEqual(selection);
  expect(off.intents[0]?.interaction.requestHash).toBe(on.intents[0]?.interaction.requestHash);
});

describe('S2-07 reasoning', () => {
  const selection = { ...aQuestion, kind: 'tool-selection' as const };
  const requestWith = async (options: Parameters<typeof journalBench>[0]) => {
    const bench = journalBench({ enableReasoning: true, thinkAloud: ALOUD, ...options });
    await bench.journal.call(1, selection, null);
    return bench.requests[0]!;
  };
  const off = { ...selection, reasoning: false };

  it('is on by default, as for runs on an older record', async () => {
    expect(await requestWith({})).not.toHaveProperty('reasoning');
  });

  it('is switched off by the run, for all prompts or for one kind', async () => {
    expect(await requestWith({ work: aWork([], { reasoning: false }) })).toEqual(off);
    expect(await requestWith({ work: aWork([], { reasoning: { 'tool-selection': false } }) })).toEqual(off);
    const other = aWork([], { reasoning: { answer: false } });
    expect(await requestWith({ work: other })).not.toHaveProperty('reasoning');
  });

  it('is switched off by the provider, also where the run wants it', async () => {
    const work = aWork([], { reasoning: true });
    expect(await requestWith({ work, reasoning: { 'tool-selection': false } })).toEqual(off);
    expect(await requestWith({ work, reasoning: { answer: false } })).not.toHaveProperty('reasoning');
  });
});

it('S2-07 a question of the level low goes to the low model of the run, where it has one', async () => {
  const answer = async () => anAnswer();
  const bench = journalBench({ models: { fake: answer }, low: answer });
  await bench.journal.call(1, { ...aQuestion, level: 'low' }, null);
  await bench.journal.call(2, aQuestion, null);
  expect(bench.intents.map(({ interaction }) => interaction.model)).toEqual(['m-low', 'm']);
  const one = journalBench();
  await one.journal.call(1, { ...aQuestion, level: 'low' }, null);
  expect(one.intents.map(({ interaction }) => interaction.model)).toEqual(['m']);
});
