import { readdirSync, readFileSync } from 'node:fs';
import { maskSecrets } from './index.js';
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

  it('S2-48 are not seen in harmless messages, of which at most 0.5 % are changed other than in a one-time code', async () => {
    const texts = harmlessMessages();
    expect(texts.length).toBeGreaterThan(900);
    const changed: string[] = [];
    let codes = 0;
    for (const text of texts) {
      const masked = (await maskSecrets(text)).text;
      if (masked.includes('[masked]')) changed.push(masked);
      else if (masked !== text) codes += 1;
    }
    expect(changed.length / texts.length).toBeLessThanOrEqual(0.005);
    // Codes were counted by hand: 17 messages state one.
    expect(codes).toBeLessThanOrEqual(17 + texts.length * 0.005);
  });
});

/** Returns the harmless messages of the labelled sets of this repository. */
function harmlessMessages(): string[] {
  const folder = new URL('../../../samples/eval/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { text: string; isScam: boolean })
    .flatMap(({ text, isScam }) => (isScam ? [] : [text]));
}
