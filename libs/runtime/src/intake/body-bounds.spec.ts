import { checkBody } from './body-bounds.js';
import { imageProblems, unsafeFields } from './check-alert.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const BOUNDS = {
  maxAlertValues: 50_000,
  maxObjectKeys: 1_000,
  maxAlertBytes: 1_000_000,
  maxBatchBytes: 8_388_608,
  maxBatchValues: 200_000,
};

describe('what a body may hold, checked before it is parsed', () => {
  it.each([
    ['maxAlertValues', `{"text":"p","payload":{"a":[${'{},'.repeat(60_000)}0]}}`],
    [
      'maxObjectKeys',
      JSON.stringify({ payload: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [i, 0])) }),
    ],
    [
      'maxAlertBytes',
      JSON.stringify({ text: 'a'.repeat(600_000), source: 'b'.repeat(600_000), more: 'c'.repeat(600_000) }),
    ],
    ['maxBatchBytes', JSON.stringify([{ text: 'a'.repeat(8_400_000) }])],
    ['maxBatchValues', `[${'{"text":"p"},'.repeat(150_000)}{"text":"p"}]`],
  ])('E-03 a body past %s is refused, and the setting is named', (setting, body) => {
    expect(() => checkBody(bytes(body), BOUNDS)).toThrow(
      expect.objectContaining({
        reasonCode: 'too_large',
        message: expect.stringContaining(`intake.${setting}`),
      }),
    );
  });

  it('E-03 an image of 12 MB is within the bounds of an alert', () => {
    checkBody(bytes(JSON.stringify({ image: { base64: 'A'.repeat(16_000_000) } })), BOUNDS);
  });

  it('E-03 the same bounds hold for a job of the queue, whose body was parsed already', () => {
    const many = { payload: { a: Array.from({ length: 60_000 }, () => ({})) } };
    const wide = { payload: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, 0])) };
    const long = { text: 'a'.repeat(700_000), more: 'b'.repeat(700_000) };
    const messages = [many, wide, long].map((body) =>
      unsafeFields(body, BOUNDS).map(({ message }) => message),
    );
    expect(messages.map((of) => of.length)).toEqual([1, 1, 1]);
    expect(messages.flat().join('\n')).toMatch(/maxAlertValues[\s\S]*maxObjectKeys[\s\S]*maxAlertBytes/);
  });
});

describe('the check of an image', () => {
  /** Processor time of so many checks: the least of five runs. */
  const costOf = (base64: string, checks: number) => {
    const runs = Array.from({ length: 5 }, () => {
      const { user } = process.cpuUsage();
      for (let i = 0; i < checks; i += 1) imageProblems({ mediaType: 'image/png', base64 });
      return process.cpuUsage().user - user;
    });
    return Math.min(...runs);
  };

  it.each([
    ['blanks before what ends it', (n: number) => `AAAA${' '.repeat(n)}!`],
    ['equals signs', (n: number) => `AAAA${'='.repeat(n)}!`],
    ['letters', (n: number) => `${'A'.repeat(n)}!`],
    ['line breaks among letters', (n: number) => `${'A\n'.repeat(n / 2)}!`],
  ])(
    'E-02 is linear over %s: long texts cost as much as short ones with as many characters',
    (_what, make) => {
      expect(imageProblems({ mediaType: 'image/png', base64: make(1_000) })).toHaveLength(1);
      // Work that grows with the square of the length would cost 16 times as much.
      expect(costOf(make(200_000), 20)).toBeLessThanOrEqual(8 * costOf(make(12_500), 320));
    },
  );

  it('E-02 takes base64 with line breaks, and refuses what is too long unread', () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4]).toString('base64');
    expect(
      imageProblems({ mediaType: 'image/png', base64: `${png.slice(0, 8)}\r\n${png.slice(8)}\n` }),
    ).toEqual([]);
    expect(imageProblems({ mediaType: 'image/png', base64: 'A'.repeat(18_000_000) })).toHaveLength(1);
  });

  it('E-02 takes an image of 12 MB, whose base64 no pattern may walk through character by character', () => {
    const image = Buffer.alloc(12_000_000);
    image.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect(imageProblems({ mediaType: 'image/png', base64: image.toString('base64') })).toEqual([]);
    expect(imageProblems({ mediaType: 'image/png', base64: `${image.toString('base64')}!` })).toHaveLength(1);
  });
});
