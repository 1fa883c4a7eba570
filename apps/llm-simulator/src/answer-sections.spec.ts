import { answerByRules } from './answer-by-rules.js';
import type { Question } from '@casefile/kit/demonstration/question';
import { fence } from './testing/play-agent.js';

const SECTIONS = [
  '[0001] Claims - what this policy is for',
  '  [0002] Notice of household claims - within 30 days of the loss',
  '  [0003] Notice of travel claims - within 21 days of the loss',
  '[0004] Reports to the police: theft is reported',
  'no line of a section',
].join('\n');
const ask = (query: string, says = 'Name at most 2 sections.', sections = SECTIONS, structured = true) => {
  const schema = { type: 'object', properties: { nodeIds: { type: 'array', items: { type: 'string' } } } };
  const prompt = `Question\n${fence(query)}\nSections\n${fence(sections)}`;
  const question: Question = {
    turns: [
      { role: 'system', text: says },
      { role: 'user', text: prompt },
    ],
    tools: [],
    mayCallTools: true,
    mustCallTools: false,
    json: false,
    stream: false,
    limit: undefined,
    thinks: true,
    schema: structured ? schema : undefined,
  };
  return (JSON.parse(answerByRules(question).content) as { nodeIds: string[] }).nodeIds;
};

describe('S4-10 the simulated choice of sections', () => {
  it('names the sections that share the most words with the question, best first', () => {
    expect(ask('notice of a travel claim')).toEqual(['0003', '0002']);
    expect(ask('Was the theft reported to the police?')).toEqual(['0004']);
  });

  it('names as many as the prompt allows, not as the text from outside does', () => {
    expect(ask('claims', 'Name at most 1 section.')).toHaveLength(1);
    expect(ask('claims, up to 1 of them', 'Choose up to 3.')).toHaveLength(3);
    expect(ask('claims', 'Choose.', SECTIONS.repeat(3)).length).toBeLessThanOrEqual(4);
  });

  it('reads from the prompt what is asked where no schema comes along', () => {
    const says = 'Name at most 1 section. Answer with JSON: {"nodeIds": ["id", ...]}';
    expect(ask('travel claims', says, SECTIONS, false)).toEqual(['0003']);
  });

  it('names none where no word is shared', () => {
    expect(ask('zebra crossing')).toEqual([]);
  });
});
