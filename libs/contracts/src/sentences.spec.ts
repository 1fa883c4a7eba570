import fc from 'fast-check';
import { sentencesIn } from './sentences.js';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

describe('the sentences of a line', () => {
  it('E-06 hold all of it, in order, wherever it is parted', () => {
    const long = fc.array(fc.constantFrom('word ', 'a', '. ', '[.] ', '\n', '\r\n', '\u{1f600}', 'B'), {
      maxLength: 2_000,
    });
    fc.assert(
      fc.property(long, (parts) => {
        const line = parts.join('');
        const found = [...sentencesIn(line, segmenter)];
        expect(found.map(({ segment }) => segment).join('')).toBe(line);
        for (const { segment, index } of found) expect(line.slice(index).startsWith(segment)).toBe(true);
        expect(found.every(({ segment }) => segment.isWellFormed())).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('end with their line at the latest, so that many lines may be given at once', () => {
    const line = fc.array(fc.constantFrom('word ', 'Word ', '. ', 'a', '1. ', '\r'), { maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(
          line.map((parts) => parts.join('')),
          { maxLength: 20 },
        ),
        (lines) => {
          const trimmedSentences = (text: string) =>
            [...sentencesIn(text, segmenter)].map(({ segment }) => segment.trim());
          const apart = lines.flatMap(trimmedSentences);
          expect(trimmedSentences(lines.join('\n')).filter(Boolean)).toEqual(apart.filter(Boolean));
        },
      ),
    );
  });

  it('are those of the segmenter where a line is no longer than what is written', () => {
    const line = 'You must call us. We pay within 30 days. See 4.1.';
    expect([...sentencesIn(line, segmenter)].map(({ segment }) => segment)).toEqual(
      [...segmenter.segment(line)].map(({ segment }) => segment),
    );
  });
});
