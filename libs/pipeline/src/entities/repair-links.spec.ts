import fc from 'fast-check';
import { extractEntities } from './extract-entities.js';
import { repairLinks, unwrapLines } from './links.js';

describe('S1-02 a link as OCR has it', () => {
  it.each([
    ['https://swiftpost-\nredelivery.example/pay or call', 'https://swiftpost-redelivery.example/pay'],
    ['https:/swiftpost-\nredelivery.example/pay or call', 'https://swiftpost-redelivery.example/pay'],
    ['https: //swiftpost-\n\nredelivery.example/pay or call', 'https://swiftpost-redelivery.example/pay'],
    [
      'http://north-\nbank-\nlogin.verification.\nexample/x?id=7',
      'http://north-bank-login.verification.example/x?id=7',
    ],
    ['https://kyc-update.exam\nple/sim and share', 'https://kyc-update.example/sim'],
    ['https://a.example/pay?\nid=77 now', 'https://a.example/pay?id=77'],
    ['https://a.example/track/\nSP-20871 today', 'https://a.example/track/SP-20871'],
    ['https://a-\nb.co.uk', 'https://a-b.co.uk/'],
    ['hitps://a.example/pay', 'https://a.example/pay'],
    ['hltp://a.example/pay', 'http://a.example/pay'],
    ['https//a.example/pay', 'https://a.example/pay'],
    ['www.lucky-\ndraw.example', 'http://www.lucky-draw.example/'],
  ])('%j is %s, and nothing else', (text, url) => {
    const { entities, notes } = extractEntities(`Pay at ${text}`);
    expect(entities['url']).toEqual([url]);
    expect(entities['domain']).toHaveLength(1);
    expect(notes.join(' ')).toMatch(/joined|repaired|spaces/);
  });

  it.each([
    ['Pay at https://a.example/pay.\nThanks for waiting'],
    ['See https://a.example/\nThank you'],
    ['See https://a.example\nor b.example'],
    ['See https://a.example/x\nhttps://b.example/y'],
    ['see https://a.example/list-\n\n\nnext.example'],
    ['a well-\nknown.example shop'],
    ['file/https/notes and 3//4'],
  ])('leaves %j as it is', (text) => {
    expect(repairLinks(text)).toEqual({ text, notes: [] });
  });

  it('joins a wallet address by its checksum alone', () => {
    const whole = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
    const broken = `Send to ${whole.slice(0, 28)}\n${whole.slice(28)} and wait`;
    expect(extractEntities(broken).entities['crypto']).toEqual([whole]);
    expect(extractEntities(broken.replace('fNa', 'fNb')).entities['crypto']).toBeUndefined();
  });

  it('leaves the path of a link alone that looks like a misread beginning', () => {
    expect(repairLinks('https://hitps:/a\n.').text).toBe('https://hitps:/a.');
    expect(repairLinks('see:hitps:/b.example').text).toBe('see:https://b.example');
  });

  it('changes nothing the second time', () => {
    const piece = fc.constantFrom(
      'https://',
      'hitps:/',
      'a',
      '-',
      '.',
      '/',
      '\n',
      ' ',
      'b.example',
      'www.',
      '1',
      '?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const once = repairLinks(pieces.join('')).text;
        expect(repairLinks(once).text.replace(/\s/g, '')).toBe(once.replace(/\s/g, ''));
      }),
      { numRuns: 500 },
    );
  });

  // No duration is asserted: a pattern that backtracks would not come back within the time of a test.
  it.each(['https://a-\n', 'hitps:/a', 'A1\n', 'www.\n\n', '+44\n\n7', '1 2.30 '])(
    'ends with a megabyte of %j',
    (piece) => {
      expect(typeof repairLinks(piece.repeat(Math.ceil(1_000_000 / piece.length))).text).toBe('string');
    },
  );
});

describe('S3-44 the lines of a bubble', () => {
  it.each([
    [
      'Today 9:32\nDo not turn it off at all. Call\nMicrosoft support now',
      'Today 9:32\nDo not turn it off at all. Call Microsoft support now',
    ],
    ['guaranteed\n\nreturns, no risk', 'guaranteed returns, no risk'],
    ['It works.\nthen stop', 'It works.\nthen stop'],
    ['WhatsApp us at +91 90000 12345\n500 rupees', 'WhatsApp us at +91 90000 12345\n500 rupees'],
    ['NORTHBANK\nYour card', 'NORTHBANK\nYour card'],
  ])('of %j are %j', (text, joined) => {
    expect(unwrapLines(text)).toBe(joined);
  });
});
