import { changesIn } from './bulk-changes.js';

const one = (word: string | null, becomes: string | null, problem: string | null = null) => ({
  id: 'x',
  playbook: null,
  word,
  becomes,
  problem,
});

it('S4-59 counts what a bulk request changes, and what it refuses', () => {
  const results = [
    one(null, null, 'needs_an_answer: give an outcome'),
    one('scam', 'harmless'),
    one('unclear', 'harmless'),
    one('unclear', 'harmless'),
    one('harmless', 'harmless'),
  ];
  expect(changesIn({ results })).toEqual([
    { words: 'unclear → harmless', count: 2 },
    { words: 'scam → harmless', count: 1 },
    { words: 'harmless (unchanged)', count: 1 },
    { words: 'refused: needs_an_answer: give an outcome', count: 1 },
  ]);
});
