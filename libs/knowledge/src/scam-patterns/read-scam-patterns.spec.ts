import { readFileSync } from 'node:fs';
import { InvalidInput } from '@casefile/contracts';
import { parseScamPatterns } from './read-scam-patterns.js';

const HEADER = 'id,title,category,scam_type,text_en,text_hi-Latn,red_flags,source,version';
const pattern = {
  id: 'fee',
  title: 'A fee',
  category: 'parcel',
  scamType: 'advance_fee',
  texts: { en: 'Pay the fee' },
  redFlags: ['small fee'],
  source: 'desk',
  version: 2,
};

async function problemsOf(text: string): Promise<string[]> {
  try {
    await parseScamPatterns(text, 'file.csv');
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems.map((problem) => problem.path);
    throw error;
  }
  return [];
}

describe('parseScamPatterns', () => {
  it('S3-12 reads JSON as it is, with the file for the source and the first version where there is none', async () => {
    const { source: _source, version: _version, ...bare } = pattern;
    expect(await parseScamPatterns(JSON.stringify([pattern, { ...bare, id: 'other' }]), 'set.json')).toEqual([
      pattern,
      { ...bare, id: 'other', source: 'set.json', version: 1 },
    ]);
  });

  it('S3-12 reads CSV, a column a language', async () => {
    const text = `\ufeff${HEADER}\r\nfee,A fee,parcel,advance_fee,"Pay, now",Abhi pay karo,small fee; haste ;,,\r\n`;
    expect(await parseScamPatterns(text, 'file.csv')).toEqual([
      {
        id: 'fee',
        title: 'A fee',
        category: 'parcel',
        scamType: 'advance_fee',
        version: 1,
        texts: { en: 'Pay, now', 'hi-Latn': 'Abhi pay karo' },
        redFlags: ['small fee', 'haste'],
        source: 'file.csv',
      },
    ]);
  });

  it('S3-12 names every wrong line and field, and ids that come twice', async () => {
    const lines = [
      HEADER,
      'a,A,c,s,text,,,,',
      'B!,,c,s,text,,,,x',
      'b,B,no good,s,,,,,0',
      'a,A,c,s,text,,,,1',
      'c,C,c,s,text',
    ];
    expect((await problemsOf(lines.join('\n'))).toSorted()).toEqual(
      [
        'line 3: id',
        'line 3: title',
        'line 3: version',
        'line 4: category',
        'line 4: texts',
        'line 4: version',
        'line 5: id',
        'line 6',
      ].toSorted(),
    );
    const wrong = [{ ...pattern, texts: { 'not a language': 'x' } }, { ...pattern, colour: 'red' }, 5];
    expect(await problemsOf(JSON.stringify(wrong))).toEqual([
      expect.stringMatching(/^\[0\]: texts/),
      '[1]: colour',
      '[2]',
    ]);
  });

  it.each(['', HEADER, '[]'])('refuses a file without a pattern (%j)', async (text) => {
    expect(await problemsOf(text)).toEqual(['']);
  });

  it('S3-12 reads the starting set: 60 patterns at least, over 15 categories, in English and Hindi', async () => {
    const file = new URL('../../../../samples/scam-patterns.json', import.meta.url);
    const patterns = await parseScamPatterns(readFileSync(file, 'utf8'), 'scam-patterns.json');
    expect(patterns.length).toBeGreaterThanOrEqual(60);
    expect(new Set(patterns.map(({ category }) => category)).size).toBeGreaterThanOrEqual(15);
    const all = patterns.filter(({ texts }) => ['en', 'hi', 'hi-Latn'].every((language) => texts[language]));
    expect(all.length).toBeGreaterThanOrEqual(60);
  });
});
