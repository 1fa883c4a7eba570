import fc from 'fast-check';
import { cutSentences } from './cut-sentences.js';

const cut = (text: string): string[] => [...cutSentences(text)].map((sentence) => sentence.trim());

describe('the sentences of a text', () => {
  it.each([
    ['Hafenstadt kaufte am 12. März 2026 vierzig Busse.'],
    ['Der Rat tagte am 3. April und am 4. Mai 2026 im Rathaus.'],
    ['Ab dem 1. Jänner gilt der neue Tarif.'],
    ['Die Frist endet am 12. 3. 2026 um 12 Uhr.'],
    ['Die Stadt feierte ihr 100. Jubiläum im 21. Jahrhundert.'],
    ['Die Burg stammt vom Ende 19. Jahrhundert und steht noch.'],
    ['Byen købte den 12. Marts 2026 fyrre busser.'],
    ['Byen købte busserne den 12. marts 2026.'],
    ['Kaupunki osti 12. Maaliskuuta 2026 neljäkymmentä bussia.'],
    ['Dr. Meier und Prof. Huber kauften z. B. Busse, d. h. Fahrzeuge.'],
    ['Laut Abs. 5 und Nr. 7 zahlt die Stadt ca. 40 Mio. Euro, vgl. Anlage.'],
    ['Fahrzeuge (u. a. Busse und Bahnen) kaufte die Stadt bzw. Das Land zahlte mit.'],
    ['Mr. Smith of the U.S. Senate saw No. 5 and J. R. R. Tolkien, e.g. Friday.'],
    ['M. Dupont et Mme. Martin, p. ex. Lundi, ont voté.'],
    ['El Sr. García y la Dra. López de EE. UU. compraron autobuses.'],
    ['Staden köpte t.ex. Bussar och bl.a. Tåg.'],
    ['De stad kocht bijv. Bussen en d.w.z. Treinen.'],
    ['Prices rose by 3.1 % to 1.5 million at example.com on Jan. 5.'],
    ['1. FC Köln gewann.'],
    ['Der Rat tagt am 10./11. März und vom 2. bis 4. Juni 2026.'],
  ])('S5-24 is one: %s', (text) => {
    expect(cut(text)).toEqual([text]);
  });

  it.each([
    [['Die Stadt kaufte 40.', 'Danach fuhr sie.']],
    [['It bought 12.', 'The mayor said so.']],
    [['The answer was no.', 'The mayor left.']],
    [['It ended at 5 p.m.', 'The mayor left.']],
    [['Es begann am 12.', 'Danach kam der Regen.']],
    [['I am 12.', 'My brother is ten.']],
    [['Kostet es 5?', 'Ja!', 'Wirklich.']],
    [['電價調漲3.1%。', '林志遠說：「目前沒有。」', '完。']],
    [['東京都は買いました。', '四十台です。']],
    [['बसें खरीदी गईं।', 'यह सच है।']],
    [['He said “It rose.”', 'Then he left.']],
    [['First line', 'second line']],
  ])('S5-24 are cut: %j', (sentences) => {
    expect(cut(sentences.join(sentences[0] === 'First line' ? '\n' : ' '))).toEqual(sentences);
  });

  it('S5-24 are not cut where a long text is given to the segmenter in parts', () => {
    const long = `${'The harbour city council bought forty buses and trams '.repeat(100)}in the end.`;
    expect(cut(long)).toEqual([long]);
    expect(
      cut(`${'Words of one sentence. '.repeat(300)}`).every((one) => one === 'Words of one sentence.'),
    ).toBe(true);
  });

  it('E-06 hold the whole text, in order', () => {
    const parts = fc.array(
      fc.constantFrom(
        'am ',
        '12. ',
        'März ',
        'Dr. ',
        'z. ',
        'B. ',
        'Wort ',
        '. ',
        '。',
        '\n',
        '“',
        '\u{1f600}',
        '1.',
        '! ',
      ),
      { maxLength: 600 },
    );
    fc.assert(
      fc.property(parts, (all) => {
        const text = all.join('');
        const sentences = [...cutSentences(text)];
        expect(sentences.join('')).toBe(text);
        expect(sentences.every((one) => one !== '')).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
