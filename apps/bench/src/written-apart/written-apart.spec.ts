import { labelledMessages, scamPatterns } from '@casefile/e2e/testing/screening-samples';
import { nearestByWords } from './nearest-by-words.js';
import { sharedRuns } from './shared-runs.js';

/** Largest share of a message's words in one pattern. Known paraphrases had shares of 0.43 to 0.83. */
const MOST_IN_COMMON = 0.4;
const PATTERN = { ...scamPatterns()[0]!, id: 'p', texts: { hi: 'पहले बारह हज़ार रुपये टैक्स जमा करें' } };
const message = (text: string) => ({ id: 'm', text, language: 'hi', isScam: true, category: null });

describe('labelled messages and scam patterns', () => {
  it.each(['messages', 'seen', 'unseen', 'development'] as const)(
    'S3-12 are written apart: no run of five words stands in both, in %s.jsonl',
    (set) => {
      const runs = sharedRuns(labelledMessages(set), scamPatterns(), 5);
      // Prints the patterns to rewrite. Messages are not printed, because one of the sets is unseen.
      expect([...new Set(runs.map(({ pattern, language }) => `${pattern} ${language}`))]).toEqual([]);
    },
  );

  it('S3-12 are written apart: no message has most of its words from one pattern', () => {
    const near = nearestByWords(labelledMessages(), scamPatterns());
    expect(near.length).toBeGreaterThan(150);
    expect(near.filter(({ similarity }) => similarity >= MOST_IN_COMMON)).toEqual([]);
  });

  it('S3-12 would be found out: five words taken from a pattern, in any script', () => {
    const taken = message('जी, "पहले बारह हज़ार रुपये, टैक्स" दीजिए');
    expect(sharedRuns([taken], [PATTERN], 5)).toEqual([
      { message: 'm', pattern: 'p', language: 'hi', words: 'पहले बारह हज़ार रुपये टैक्स' },
    ]);
    expect(sharedRuns([message('पहले बारह हज़ार रुपये दीजिए')], [PATTERN], 5)).toEqual([]);
  });

  it('S3-12 would be found out: the words of a pattern in another order', () => {
    const other = { ...PATTERN, id: 'q', texts: { hi: 'बिजली आज रात कट जाएगी' } };
    const [near] = nearestByWords([message('टैक्स रुपये बारह जमा हज़ार पहले')], [PATTERN, other]);
    expect(near).toMatchObject({ pattern: 'p', similarity: 1 });
    const [apart] = nearestByWords([message('चलो शाम को बाज़ार चलते हैं')], [PATTERN, other]);
    expect(apart!.similarity).toBeLessThan(MOST_IN_COMMON);
  });
});
