import type { PolicyNode } from '@casefile/contracts';
import { normalText } from '@casefile/pipeline/reading/index';
import fc from 'fast-check';
import { findQuote, normalizeText } from './find-quote.js';
import { isPolicyAddress, pagesText, placeText, policyAddress } from './policy-address.js';
import { nodeAncestors, openAtFirst, shownNode, treeRows } from './policy-tree.js';

const quotedPart = (text: string, quote: string): string | null => {
  const span = findQuote(text, quote);
  return span === null ? null : text.slice(span.from, span.to);
};

describe('S4-21 a quote in the text of its section', () => {
  const TEXT = 'Notice:\n\n- A “household” claim must be\n  notified within 30 days — in **writing**.';

  it.each([
    ['must be notified within 30 days', 'must be\n  notified within 30 days'],
    ['a "HOUSEHOLD" claim', 'A “household” claim'],
    ['within 30 days - in writing', 'within 30 days — in **writing'],
    ['"notified within 30 days"', 'notified within 30 days'],
    ['within 300 days', null],
    ['', null],
    ['  "  ', null],
  ])('%p is %p', (quote, expected) => expect(quotedPart(TEXT, quote)).toBe(expected));

  it('is found whole rather than within another word or figure', () => {
    expect(findQuote('after 110 days, or after 10 days', '10 days')).toEqual({ from: 25, to: 32 });
    expect(quotedPart('undercover', 'cover')).toBe('cover');
  });

  it('is marked to the end of its last character, whatever that is made of', () => {
    expect(quotedPart('le caf\u0065\u0301 noir', 'CAFÉ')).toBe('caf\u0065\u0301');
    expect(quotedPart('the o\ufb03ce is shut', 'office')).toBe('o\ufb03ce');
    expect(quotedPart('co-oper\u00adation', 'cooperation')).toBe('co-oper\u00adation');
  });

  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '- ',
      ' - ',
      '\n* ',
      '—',
      '**',
      '“',
      '’',
      'İ',
      'ß',
      'ﬁ',
      '²',
      '½',
      'e\u0301',
      '\u200b',
      '|',
      'Ǆ',
      '- 3',
    ),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

  it('is compared by the rules by which citations are verified', () => {
    fc.assert(fc.property(text, (it) => expect(normalizeText(it).text.trim()).toBe(normalText(it))));
  });

  it('is a part of the text wherever it is found', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (it, a, b) => {
        const [from, to] = [a % (it.length + 1), b % (it.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const span = findQuote(it, it.slice(from, to));
        if (span === null) return;
        expect(0 <= span.from && span.from < span.to && span.to <= it.length).toBe(true);
      }),
    );
  });
});

const node = (nodeId: string, parentId: string | null, characters = 10): PolicyNode => ({
  nodeId,
  parentId,
  characters,
  title: nodeId,
  level: 1,
  pages: null,
  lines: null,
  summary: '',
});
const NODES = [node('1', null, 0), node('2', '1', 0), node('3', '2'), node('4', '2'), node('5', '1')];
const shown = (...open: string[]) => treeRows(NODES, new Set(open)).map(({ node: { nodeId } }) => nodeId);

describe('S4-10 the tree of a policy', () => {
  it('shows what is in open sections', () => {
    expect(shown()).toEqual(['1']);
    expect(shown('1')).toEqual(['1', '2', '5']);
    expect(shown('2')).toEqual(['1']);
    expect(shown('1', '2')).toEqual(['1', '2', '3', '4', '5']);
  });

  it('says of each how deep it is, what is below it, and its place among its like', () => {
    const [, two, , four] = treeRows(NODES, new Set(['1', '2', '4']));
    expect(two).toMatchObject({ depth: 2, below: 2, isOpen: true, place: 1, of: 2 });
    expect(four).toMatchObject({ depth: 3, below: 0, isOpen: false, place: 2, of: 2 });
  });

  it('is open to the section that is shown', () => {
    expect([...openAtFirst(NODES, '3')]).toEqual(['1', '2', '3']);
    expect([...openAtFirst([...NODES, node('9', null)], '5')]).toEqual(['1', '5']);
    expect([...openAtFirst(NODES, '1')]).toEqual(['1']);
    expect(nodeAncestors(NODES, 'no-such')).toEqual([]);
  });

  it('begins with the first section that has a text', () => {
    expect(shownNode(NODES, null)?.nodeId).toBe('3');
    expect(shownNode(NODES, '5')?.nodeId).toBe('5');
    expect(shownNode(NODES, '77')).toBeUndefined();
  });
});

describe('S4-21 the address of words in a policy', () => {
  it('names version, section and words, and is one that reports may lead to', () => {
    const address = policyAddress({ policyId: 'claims', version: 2 }, '0032', 'within 30 days & more');
    expect(address).toBe('/policies/claims/versions/2?node=0032&quote=within+30+days+%26+more');
    expect(isPolicyAddress(address)).toBe(true);
    expect(policyAddress({ policyId: 'claims', version: 2 })).toBe('/policies/claims/versions/2');
    expect(policyAddress({ policyId: 'claims', version: 2 }, '1', 'x'.repeat(4_000)).length).toBeLessThan(
      1_100,
    );
  });

  it.each(['/policies', '/policies/claims/versions/current', '/policies/a_b-c/versions/12?node=0032'])(
    '%s leads to a policy',
    (address) => expect(isPolicyAddress(address)).toBe(true),
  );

  it.each([
    '//policies/claims/versions/1',
    '/policies/../api/v1/cases',
    '/policies/%2e%2e/versions/1',
    '/cases',
    '/policies/claims',
    '/policies/claims/versions/1/../../x',
    '/policies\\evil',
    '/policies/claims/versions/1#x',
    'javascript:/policies',
    'https://elsewhere.example/policies',
    '/policies/claims/versions/1?a b',
    '/Policies',
    '/policies/claims/versions/1?x\\y',
    '/policies/claims/versions/1\n',
  ])('%j does not', (address) => expect(isPolicyAddress(address)).toBe(false));

  it('is written with pages, or else lines', () => {
    expect([pagesText({ from: 3, to: 3 }), pagesText({ from: 3, to: 4 }), pagesText(null)]).toEqual([
      'p. 3',
      'pp. 3–4',
      '',
    ]);
    expect(placeText({ pages: null, lines: { from: 8, to: 9 } })).toBe('lines 8–9');
  });
});
