import {
  citableFacts,
  citationSchema,
  type CitableFact,
  CRITERION_STATUSES,
  InvalidInput,
} from '@casefile/contracts';
import fc from 'fast-check';
import { normalQuote, sameValue } from '@casefile/pipeline/reading/index';
import {
  type CitationGround,
  type LookUp,
  verifyCitation,
  verifyCitations,
  combinedStatus,
  settledAnswer,
} from './verify-citations.js';

const sections: CitationGround['sections'] = new Map([
  [
    '0001',
    {
      title: 'Notice',
      text: 'A claim must be notified within 30 days of the loss date.',
      pages: { from: 2, to: 3 },
    },
  ],
  [
    '0002',
    {
      title: 'Limits',
      text: '| Cash at home | £5,000 | 10² m |\n- bicycles: £1,500\n- well-\nknown items',
      pages: null,
    },
  ],
]);
const facts: CitableFact[] = citableFacts([
  { name: 'Loss Date', value: '2026-04-02', confidence: 0.9 },
  { name: 'estimate', value: 2000, unit: 'GBP', confidence: 0.9 },
  { name: 'estimate', value: 1850, unit: 'GBP', confidence: 0.5 },
  { name: 'reported', value: true, confidence: 0.9 },
  { name: 'reported_at', value: '2026-05-11T12:50', confidence: 0.9 },
]);
const lookUp = (over: Partial<LookUp>): LookUp => ({
  of: 'fact',
  asked: 'police_number',
  succeeded: true,
  found: 0,
  ...over,
});
const ground = (lookUps: LookUp[] = []): CitationGround => ({ sections, facts, lookUps });
const quote = (nodeId: string, text: string, page?: number) =>
  verifyCitation({ kind: 'quote', nodeId, quote: text, page }, ground());
const fact = (name: string, value: string | number | boolean) =>
  verifyCitation({ kind: 'fact', fact: name, value }, ground());

describe('S4-21 a quote', () => {
  it.each([
    ['0001', 'a claim MUST be\n notified'],
    ['0001', '"within 30 days of the loss date."'],
    ['0002', 'Cash at home £5,000'],
    ['0002', 'Bicycles: £1,500 • well-known'],
    ['0002', 'wellknown items'],
  ])('in section %s is found: %s', (nodeId, text) => {
    expect(quote(nodeId, text).state).toBe('verified');
  });

  it.each([
    ['0001', 'A claim must be notified within 3', 'quote_altered'],
    ['0001', 'A claim must be notified within 31 days of the loss date.', 'quote_altered'],
    ['0002', 'Cash at home £5', 'quote_altered'],
    ['0002', 'Cash at home $5,000', 'quote_altered'],
    ['0002', 'Cash at home £5,000 102 m', 'quote_altered'],
    ['0001', 'Dogs are covered when they bark at night', 'quote_not_found'],
    ['0002', 'notified within 30 days', 'quote_elsewhere'],
    ['0009', 'notified within 30 days', 'unknown_node'],
    ['0001', 'days of', 'quote_too_short'],
  ])('of section %s is not supported: %s (%s)', (nodeId, text, problem) => {
    expect(quote(nodeId, text)).toMatchObject({ problem });
  });

  it('that exists otherwise is distinguished from one that does not exist', () => {
    const altered = quote('0001', 'A claim must be notified within 31 days of the loss date.');
    expect(altered.state).toBe('says_otherwise');
    expect(altered.instead).toEqual(['A claim must be notified within 30 days of the loss date.']);
    expect(quote('0001', 'Dogs are covered when they bark at night').state).toBe('does_not_exist');
  });

  it('is held to the page it names', () => {
    expect(quote('0001', 'notified within 30 days', 3).state).toBe('verified');
    expect(quote('0001', 'notified within 30 days', 4)).toMatchObject({
      problem: 'wrong_page',
      instead: ['2-3'],
    });
    expect(quote('0002', 'Cash at home £5,000', 1)).toMatchObject({ problem: 'wrong_page' });
  });
});

describe('S4-21 a text that is made to be slow', () => {
  it.each([' ', '-', '- ', 'a- ', '"', '|', '1 - ', '.', '\u200b', '\n', 'a-\n', "' "])(
    'of %j is looked through',
    (part) => {
      const text = part.repeat(100_000 / part.length);
      const long: CitationGround['sections'] = new Map([
        ['0001', { title: 'x', text: `a${text}b`, pages: null }],
      ]);
      const citation = {
        kind: 'quote',
        nodeId: '0001',
        quote: `a quote${part.repeat(1_000)}at the end`,
      } as const;
      expect(verifyCitation(citation, { ...ground(), sections: long }).state).not.toBe('verified');
    },
  );
});

describe('S4-21 a fact', () => {
  it.each([
    ['lossDate', '2026-04-02'],
    ['estimate', 1850],
    ['estimate', '£2,000'],
    ['estimate#2', '1850 GBP'],
    ['reported', 'yes'],
    ['reported at', '2026-05-11 12:50'],
  ])('%s is %s', (name, value) => {
    expect(fact(name, value).state).toBe('verified');
  });

  it('names the readings that bear it out', () => {
    expect(fact('estimate', 1850).facts).toEqual(['estimate#2']);
  });

  it.each([
    ['loss_date', '2026-04-03', 'other_value'],
    ['estimate#1', 1850, 'other_value'],
    ['estimate', '$2,000', 'other_value'],
    ['reported', false, 'other_value'],
    ['reported', 'perhaps', 'other_value'],
    ['police_number', '1', 'unknown_fact'],
  ])('%s is not %s (%s)', (name, value, problem) => {
    expect(fact(name, value)).toMatchObject({ problem });
  });

  it('that is a text is compared as text, and no number is read into it', () => {
    expect(sameValue({ value: 'NUIPC 482/26.7' }, 'nuipc  482/26.7')).toBe(true);
    expect(sameValue({ value: '007' }, '7')).toBe(true);
    expect(sameValue({ value: '2026-04-02' }, 2026)).toBe(false);
    expect(sameValue({ value: 5 }, true)).toBe(false);
    expect(sameValue({ value: '1,5' }, 15)).toBe(false);
  });
});

describe('S4-21 an absence', () => {
  const absence = (asked: string, lookUps: LookUp[], of: 'fact' | 'policy' = 'fact') =>
    verifyCitation({ kind: 'absence', of, asked }, ground(lookUps));

  it('needs a look-up that succeeded and found nothing', () => {
    expect(absence('police number', [lookUp({})]).state).toBe('verified');
    expect(absence('police number', [])).toMatchObject({ problem: 'never_looked_up', state: 'unproven' });
    expect(absence('police number', [lookUp({ succeeded: false })])).toMatchObject({
      problem: 'look_up_failed',
    });
    expect(absence('police number', [lookUp({ asked: 'another' })])).toMatchObject({
      problem: 'never_looked_up',
    });
    expect(absence('police number', [lookUp({ found: 2 })])).toMatchObject({ problem: 'is_there' });
  });

  it('of a fact that is there is refuted, whatever was looked up', () => {
    expect(absence('loss date', [lookUp({ asked: 'loss_date' })])).toMatchObject({ problem: 'is_there' });
  });

  it('of a rule goes by the query', () => {
    const none = lookUp({ of: 'policy', asked: 'Cover for  DOGS' });
    expect(absence('cover for dogs', [none], 'policy').state).toBe('verified');
    expect(absence('cover for cats', [none], 'policy').state).toBe('unproven');
  });
});

describe('S4-21 all citations of an answer', () => {
  it('unsupported ones are taken out, listed, and lower the share', () => {
    const checked = verifyCitations(
      [
        { kind: 'quote', nodeId: '0001', quote: 'notified within 30 days' },
        { kind: 'quote', nodeId: '0001', quote: 'notified within 40 days of loss' },
        { kind: 'fact', fact: 'reported', value: true },
        { kind: 'fact', fact: 'nothing', value: true },
      ],
      ground(),
    );
    expect(checked.share).toBe(0.5);
    expect(checked.verified).toHaveLength(2);
    expect(checked.refuted.map(({ problem }) => problem)).toEqual(['quote_altered', 'unknown_fact']);
    expect(verifyCitations([], ground()).share).toBe(0);
  });

  it('have a strict shape', () => {
    expect(citationSchema.safeParse({ kind: 'quote', nodeId: '1', quote: 'x', sure: true }).success).toBe(
      false,
    );
    expect(citationSchema.safeParse({ kind: 'quote', nodeId: 1, quote: 'x' }).success).toBe(false);
  });
});

describe('the marks around a quote', () => {
  it('E-05 E-06 are taken off in one pass, however many stand within it', () => {
    expect(normalQuote(' "- The claim is late. -" ')).toBe('the claim is late.');
    const hostile = `a${`'" `.repeat(30_000)}b`;
    expect(normalQuote(hostile).endsWith('b')).toBe(true);
  });
});

const statuses = fc.array(fc.constantFrom(...CRITERION_STATUSES), { minLength: 1, maxLength: 12 });

describe('S4-22 an answer after its citations were looked at', () => {
  const met = { status: 'MET', confidence: 0.9 } as const;

  it('is withheld under 0.65', () => {
    const rules = { share: 1, capByShare: true };
    expect(settledAnswer({ ...met, confidence: 0.65 }, rules)).toMatchObject({
      status: 'MET',
      reasonCode: null,
    });
    expect(settledAnswer({ ...met, confidence: 0.64 }, rules)).toEqual({
      status: 'UNCERTAIN',
      confidence: 0.64,
      reasonCode: 'low_confidence',
    });
  });

  it('S4-21 is no surer than the share of verified claims, where the playbook says so', () => {
    expect(settledAnswer(met, { share: 0.5, capByShare: true })).toMatchObject({
      confidence: 0.5,
      status: 'UNCERTAIN',
    });
    expect(settledAnswer(met, { share: 0.5, capByShare: false })).toMatchObject({
      confidence: 0.9,
      status: 'MET',
    });
  });

  it('that is no number counts for nothing', () => {
    expect(settledAnswer({ ...met, confidence: Number.NaN }, { share: 1, capByShare: false })).toMatchObject({
      confidence: 0,
      status: 'UNCERTAIN',
    });
  });

  it('that is uncertain stays so without another reason', () => {
    const unsure = { status: 'UNCERTAIN', confidence: 0.2 } as const;
    expect(settledAnswer(unsure, { share: 1, capByShare: true }).reasonCode).toBeNull();
  });
});

describe('S4-23 the combination of criteria', () => {
  it('agrees with every way the uncertain ones could still turn out', () => {
    fc.assert(
      fc.property(statuses, fc.nat(), (given, n) => {
        const needed = 1 + (n % given.length);
        const met = given.filter((status) => status === 'MET').length;
        const open = given.filter((status) => status === 'UNCERTAIN').length;
        const outcomes = new Set(Array.from({ length: open + 1 }, (_, more) => met + more >= needed));
        const wanted = outcomes.size === 2 ? 'UNCERTAIN' : outcomes.has(true) ? 'MET' : 'NOT_MET';
        expect(combinedStatus(given, { rule: 'n-of-m', n: needed })).toBe(wanted);
      }),
    );
  });

  it('all and any are the two ends of n of m', () => {
    fc.assert(
      fc.property(statuses, (given) => {
        expect(combinedStatus(given, { rule: 'all' })).toBe(
          combinedStatus(given, { rule: 'n-of-m', n: given.length }),
        );
        expect(combinedStatus(given, { rule: 'any' })).toBe(combinedStatus(given, { rule: 'n-of-m', n: 1 }));
      }),
    );
  });

  it.each([
    [[], { rule: 'all' }, 'criteria'],
    [['MET'], { rule: 'n-of-m', n: 2 }, 'combine.n'],
    [['MET'], { rule: 'n-of-m', n: 0 }, 'combine.n'],
    [['MET'], { rule: 'n-of-m', n: 0.5 }, 'combine.n'],
  ] as const)('refuses %j by %j and names %s', (given, rule, path) => {
    expect(() => combinedStatus(given, rule)).toThrow(InvalidInput);
    expect(() => combinedStatus(given, rule)).toThrow(path);
  });
});
