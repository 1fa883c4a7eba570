import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { CitableFact, Citation } from '@casefile/contracts';
import { type CitationGround, verifyCitation } from './verify-citations.js';

const RUNS = 1_000;
const policy = readFileSync(
  new URL('../../../../../samples/policies/claims-handling.md', import.meta.url),
  'utf8',
);
const sections = new Map(
  policy.split(/^#{2,3} /m).flatMap((part, i) => {
    const [title = '', ...lines] = part.split('\n');
    const text = lines.join('\n').trim();
    return text === '' ? [] : [[`n${i}`, { title, text, pages: { from: i, to: i + 1 } }] as const];
  }),
);
const facts: CitableFact[] = [
  { id: 'a', name: 'loss_date', value: '2026-04-02', confidence: 1 },
  { id: 'b', name: 'repair_estimate', value: 2000, unit: 'GBP', confidence: 1 },
  { id: 'c', name: 'repair_estimate', value: 1850, unit: 'GBP', confidence: 1 },
  { id: 'd', name: 'police_report', value: true, confidence: 1 },
];
const ground: CitationGround = { sections, facts, lookUps: [] };

const ids = [...sections.keys()];
/** A passage of six words or more, word for word, with its section. It does not part a figure from its sign (70 %, 12 °C). */
const passage = fc
  .record({ id: fc.constantFrom(...ids), from: fc.nat(), length: fc.integer({ min: 6, max: 25 }) })
  .map(({ id, from, length }) => {
    const words = [...(sections.get(id)?.text.matchAll(/[^\s|]+/g) ?? [])];
    const start = from % Math.max(1, words.length - 5);
    const first = words[start]?.index ?? 0;
    const last = words[Math.min(words.length, start + length) - 1];
    const text = sections.get(id)?.text ?? '';
    const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
    return { id, quote: text.slice(first, end), next: text.slice(end).trimStart()[0] };
  })
  .filter(({ next = '' }) => !'%°'.includes(next) || next === '')
  .filter(({ quote }) => (quote.match(/\p{L}/gu)?.length ?? 0) >= 12 && !quote.includes('---'));

/** Another way to write the same. */
const rewritings: ((quote: string) => string)[] = [
  (quote) => quote,
  (quote) => quote.toUpperCase(),
  (quote) => quote.replaceAll(' ', '\n   '),
  (quote) => quote.replaceAll(' ', '\u00a0'),
  (quote) => `“${quote}”`,
  (quote) => quote.replaceAll("'", '’').replaceAll('-', '‐'),
  (quote) => quote.replaceAll('|', ' '),
  (quote) => quote.replaceAll(' ', ' \u200b'),
];

const at = <T>(list: T[], n: number): T => list[n % list.length] as T;
const words = (quote: string): string[] => quote.split(/\s+/);
/** Ways to make a passage say what the policy does not. */
const mutations: [string, (quote: string, n: number) => string][] = [
  ['another figure', (q, n) => q.replace(/\d/, (d) => String((Number(d) + 1 + (n % 8)) % 10))],
  ['a figure longer', (q) => q.replace(/(\d)(?!.*\d)/s, '$10')],
  ['a figure shorter', (q) => q.replace(/\d(?=\d)/, '')],
  ['another currency', (q, n) => q.replace('£', at(['$', '€', ''], n))],
  [
    'a word left out',
    (q, n) =>
      words(q)
        .filter((_, i, all) => i !== 1 + (n % (all.length - 2)))
        .join(' '),
  ],
  [
    'a word put in',
    (q, n) =>
      words(q)
        .toSpliced(1 + (n % (words(q).length - 1)), 0, 'usually')
        .join(' '),
  ],
  [
    'a denial put in',
    (q, n) =>
      words(q)
        .toSpliced(1 + (n % (words(q).length - 1)), 0, 'not')
        .join(' '),
  ],
  [
    'two words changed about',
    (q, n) => {
      const all = words(q);
      const i = n % (all.length - 1);
      return all.toSpliced(i, 2, all[i + 1] ?? '', all[i] ?? '').join(' ');
    },
  ],
  [
    'another letter',
    (q, n) => {
      const places = [...q.matchAll(/\p{L}/gu)].map((match) => match.index);
      const i = at(places, n);
      return q.slice(0, i) + (q[i]?.toLowerCase() === 'x' ? 'y' : 'x') + q.slice(i + 1);
    },
  ],
  ['cut within a word', (q) => q.replace(/(\p{L}{3})\p{L}+\P{L}*$/u, '$1')],
  ['must for may', (q) => q.replace(/\b(must|may)\b/i, (w) => (w.toLowerCase() === 'may' ? 'must' : 'may'))],
];

/** By another way than the code has: letters, digits and signs that count, in one row. */
const row = (text: string): string =>
  ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+|[£$€%]/gu) ?? []).join(' ')} `;

describe('citations over a policy of 88 sections', () => {
  it('S4-21 accepts 1,000 honest ones, however they are written', () => {
    fc.assert(
      fc.property(passage, fc.constantFrom(...rewritings), fc.boolean(), ({ id, quote }, rewrite, paged) => {
        const pages = sections.get(id)?.pages;
        const citation: Citation = {
          kind: 'quote',
          nodeId: id,
          quote: rewrite(quote),
          ...(paged && pages ? { page: pages.to } : {}),
        };
        expect(verifyCitation(citation, ground)).toMatchObject({ state: 'verified', problem: null });
      }),
      { numRuns: RUNS },
    );
  });

  it('S4-21 catches 1,000 mutated ones', () => {
    const seen = new Set<string>();
    const property = fc.property(
      passage,
      fc.constantFrom(...mutations),
      fc.nat(),
      ({ id, quote }, [name, mutate], n) => {
        const mutated = mutate(quote, n);
        const text = sections.get(id)?.text ?? '';
        // What came out may be in the section all the same: "a a" with one left out, a passage without figures.
        fc.pre(!row(text).includes(row(mutated)) || name === 'cut within a word');
        fc.pre(mutated !== quote && !text.includes(mutated + ' '));
        seen.add(name);
        const finding = verifyCitation({ kind: 'quote', nodeId: id, quote: mutated }, ground);
        expect(finding.state).not.toBe('verified');
      },
    );
    fc.assert(property, { numRuns: RUNS, maxSkipsPerRun: 100 });
    expect(seen.size).toBe(mutations.length);
  });

  it('S4-21 catches 1,000 honest quotes under another section, page or none at all', () => {
    fc.assert(
      fc.property(passage, fc.constantFrom(...ids), fc.nat({ max: 2 }), ({ id, quote }, other, way) => {
        fc.pre(other !== id && !row(sections.get(other)?.text ?? '').includes(row(quote)));
        const pages = sections.get(id)?.pages ?? { from: 1, to: 1 };
        const finding = [
          verifyCitation({ kind: 'quote', nodeId: other, quote }, ground),
          verifyCitation({ kind: 'quote', nodeId: id, quote, page: pages.to + 1 }, ground),
          verifyCitation({ kind: 'quote', nodeId: `${id}0x`, quote }, ground),
        ][way];
        const problem = ['quote_elsewhere', 'wrong_page', 'unknown_node'][way];
        expect(finding).toMatchObject({ problem });
        if (way === 0) expect(finding?.instead).toContain(id);
      }),
      { numRuns: RUNS },
    );
  });

  it('S4-21 tells 1,000 true values of facts from others', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 1, max: 999 }), (n, off) => {
        const one: CitationGround = {
          ...ground,
          facts: [{ id: 'x', name: 'sum', value: n, unit: 'GBP', confidence: 1 }],
        };
        const state = (value: string | number) =>
          verifyCitation({ kind: 'fact', fact: 'sum', value }, one).state;
        for (const value of [n, `${n}`, `£${n.toLocaleString('en-GB')}`, `${n}.00 GBP`])
          expect(state(value)).toBe('verified');
        for (const value of [n + off, `£${(n + off).toLocaleString('en-GB')}`, `$${n}`, `${n}0`, `-${n}`])
          expect(state(value)).toBe('says_otherwise');
      }),
      { numRuns: RUNS },
    );
  });
});
