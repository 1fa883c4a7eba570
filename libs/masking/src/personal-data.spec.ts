import fc from 'fast-check';
import { PERSONAL_DATA, type Masking } from '@casefile/contracts';
import { checkPattern, findPersonalData, Pseudonyms } from './index.js';

const ALL: Masking = { rules: 1, personalData: [...PERSONAL_DATA], patterns: [] };
const found = async (text: string, masking = ALL) =>
  (await findPersonalData(text, masking)).map(({ from, to, label }) => [label, text.slice(from, to)]);

describe('S2-21 personal data', () => {
  it.each([
    ['EMAIL', 'Write to Jane.Doe+x@mail.example.co.uk.', 'Jane.Doe+x@mail.example.co.uk'],
    ['EMAIL', '请写信给 wang@example.com给我', 'wang@example.com'],
    ['PHONE', 'Call +49 170 1234567 now', '+49 170 1234567'],
    ['PHONE', 'Call +1 (202) 555-0143.', '+1 (202) 555-0143'],
    ['PHONE', 'ring 0044 20 7946 0958', '0044 20 7946 0958'],
    ['PHONE', 'Tel 020 7946 0958!', '020 7946 0958'],
    ['PHONE', '手机13812345678', '13812345678'],
    ['PHONE', 'whatsapp 98765 43210', '98765 43210'],
    ['PHONE', 'text me: 9123 4567', '9123 4567'],
    ['PHONE', '202-555-0143', '202-555-0143'],
    ['IBAN', 'to DE89 3704 0044 0532 0130 00 BIC COBADEFF', 'DE89 3704 0044 0532 0130 00'],
    ['IBAN', 'gb29nwbk60161331926819', 'gb29nwbk60161331926819'],
    ['CARD', 'card 4111 1111 1111 1111 12/27', '4111 1111 1111 1111'],
    ['CARD', 'no. 12 5500-0000-0000-0004', '5500-0000-0000-0004'],
    ['CARD', '378282246310005', '378282246310005'],
    ['IP', 'from 203.0.113.9:8080', '203.0.113.9'],
    ['IP', 'from 2001:db8::8a2e:370:7334.', '2001:db8::8a2e:370:7334'],
    ['ID', 'CPF 529.982.247-25', '529.982.247-25'],
    ['ID', 'CPF 52998224725', '52998224725'],
    ['ID', '身份证11010519491231002X号', '11010519491231002X'],
    ['ID', 'DNI 12345678Z', '12345678Z'],
    ['ID', 'NIE X1234567L', 'X1234567L'],
    ['ID', 'CF RSSMRA85T10A562S', 'RSSMRA85T10A562S'],
    ['ID', 'NIR 1 85 05 78 006 084 91', '1 85 05 78 006 084 91'],
    ['ID', 'Aadhaar 2341 2341 2346', '2341 2341 2346'],
  ])('%s is found in: %s', async (label, text, value) => {
    expect(await found(text)).toEqual([[label, value]]);
    // In the JSON of a text too, also if an escape precedes the value.
    const json = JSON.stringify({ text: `\n${text}\n` });
    expect(await found(json)).toEqual([[label, value]]);
  });

  it.each([
    'On 2026-11-27 at 08:00:12 and on 01.02.2026',
    'version 1.2.3.4.5 and 10.000.000,00 EUR',
    'https://bank.example@evil.example/login',
    'order 1234567890123456, IBAN GB29 NWBK 6016 1331 9268 18',
    'CPF 529.982.247-26, DNI 12345678A, std::vector, 999.1.1.1',
    'a 3f8a91c204b7d6e5 hash, 1764230400 seconds, 1764230400000 ms',
    'E1 and E12, 50 %, step 3 of 10',
  ])('is not found in: %s', async (text) => expect(await found(text)).toEqual([]));

  it('of unnamed classes is not found, and a pattern of the configuration comes first', async () => {
    const text = 'KD-12345678 jane@mail.example +491701234567';
    const patterns = [{ name: 'customer', pattern: String.raw`KD-\d{8}` }];
    expect(await found(text, { ...ALL, personalData: ['email'], patterns })).toEqual([
      ['CUSTOMER', 'KD-12345678'],
      ['EMAIL', 'jane@mail.example'],
    ]);
    const whole = [{ name: 'sender', pattern: String.raw`\S+@mail\.example` }];
    expect(await found(text, { ...ALL, personalData: ['email'], patterns: whole })).toEqual([
      ['SENDER', 'jane@mail.example'],
    ]);
  });

  it('of a pattern ends at quotes and line breaks', async () => {
    const masking = { ...ALL, personalData: [], patterns: [{ name: 'x', pattern: 'a(?s:.)*z' }] };
    expect(await found('a1\n2z', masking)).toEqual([
      ['X', 'a1'],
      ['X', '2z'],
    ]);
  });

  it.each([['(?=a)'], ['a('], ['a*'], ['a{1001}']])('the pattern %s is refused', (pattern) => {
    expect(checkPattern(pattern)).toEqual({ problem: expect.stringMatching(/^expected /) as string });
  });
});

const CASE = '5e5f0f5c-0000-4000-8000-000000000001';
const masked = async (text: string, caseId = CASE, masking = ALL) => {
  const pseudonyms = new Pseudonyms(caseId, masking);
  await pseudonyms.learn(text);
  return { text: await pseudonyms.mask(text), back: (answer: string) => pseudonyms.unmask(answer) };
};
const only = async (text: string, caseId = CASE) =>
  /\[[A-Z-]+\]/.exec((await masked(text, caseId)).text)?.[0] ?? '';

/** A line end within a value is given back as a blank. */
const onOneLine = (text: string) => text.replaceAll(/(?:\\[nr]|\s)+/g, ' ');

describe('S2-21 pseudonyms', () => {
  const value = fc.oneof(
    fc.emailAddress(),
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('+49 170 1234567', '0170/1234567', '4111 1111 1111 1111', 'DE89370400440532013000'),
    fc.integer({ min: 1_000_000, max: 999_999_999 }).map((digits) => `+1${digits}`),
  );
  const anyText = fc
    .array(
      fc.oneof(value, fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', '\n', '"', '\\n', '[', ']', '-')),
      {
        maxLength: 20,
      },
    )
    .map((parts) => parts.join(''));

  it('are replaced by the same values again, in every text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const { text: hidden, back } = await masked(text);
        expect(onOneLine(back(hidden))).toBe(onOneLine(text));
        const json = await masked(JSON.stringify({ text }));
        expect(JSON.parse(json.text)).toBeDefined();
        const { text: again } = JSON.parse(json.back(json.text)) as { text: string };
        expect(onOneLine(again)).toBe(onOneLine(text));
      }),
      { numRuns: 500 },
    );
  });

  it('hide each value, and masking again finds none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 8 }), async (values) => {
        const text = values.map((one) => `<${one}>`).join(' and ');
        const { text: hidden } = await masked(text);
        for (const one of await findPersonalData(text, ALL))
          expect(hidden).not.toContain(text.slice(one.from, one.to));
        expect((await masked(hidden)).text).toBe(hidden);
      }),
    );
  });

  it('are the same in each text of a case, and others in another case', async () => {
    const other = CASE.replace(/1$/, '2');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9_999 }), anyText, async (number, around) => {
        const email = `jane${number}@mail.example`;
        const one = await only(email);
        expect((await masked(`${around} ${email} ${around}`)).text).toContain(one);
        expect(await only(email, other)).not.toBe(one);
      }),
    );
  });

  it('name the spellings of one value by the same letters', async () => {
    const text = 'Jane@Mail.example jane@mail.example, 0170 1234567 +49 170 1234567 +491701234567';
    const [upper, lower, domestic, spaced, plain] = (await masked(text)).text.match(/\[[A-Z-]+\]/g)!;
    expect(upper).toMatch(new RegExp(`^\\${lower!.slice(0, -1)}-[A-Z]{2}\\]$`));
    for (const one of [domestic, spaced])
      expect(one).toMatch(new RegExp(`^\\${plain!.slice(0, -1)}-[A-Z]{2}\\]$`));
    expect(domestic).not.toBe(spaced);
  });

  it('of a number without a sign of its own are found beside the number with its country code', async () => {
    expect((await masked('9123 4567 is +65 9123 4567')).text).not.toMatch(/\d/);
  });

  it('are recognised without brackets and in lower case, and unknown ones stay', async () => {
    const { text, back } = await masked('jane@mail.example');
    expect(back(`${text.slice(1, -1)} ${text.toLowerCase()} [EMAIL-BBBBBB] [masked]`)).toBe(
      'jane@mail.example jane@mail.example [EMAIL-BBBBBB] [masked]',
    );
  });
});
