import { isFound, spellingsApart, spellingsByWay, type Spelling } from './testing/spellings.js';

/** Share of the spellings of a set that must be found. */
const LEAST = 0.97;

async function missed(spellings: readonly Spelling[]): Promise<Spelling[]> {
  const all: Spelling[] = [];
  for (const one of spellings) if (!(await isFound(one))) all.push(one);
  return all;
}

describe('spellings of secrets and personal data', () => {
  it.each([
    ['by each way of spelling', spellingsByWay],
    ['written apart from the rules', spellingsApart],
  ])('S2-48 are found to 97 %% in the set %s', async (_set, spellings) => {
    const all = spellings();
    expect(all.length).toBeGreaterThanOrEqual(300);
    const out = await missed(all);
    expect(1 - out.length / all.length).toBeGreaterThanOrEqual(LEAST);
  });
});
