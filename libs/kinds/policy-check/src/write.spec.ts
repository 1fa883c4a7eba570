import { reportSchema, type CriterionResult } from '@casefile/contracts';
import fc from 'fast-check';
import { aCriterionDraft, aCriterionResult, aPolicyBrief } from './testing/policy-builders.js';
import { goldenFile } from '@casefile/contracts/testing';
import { aReview, evidenceOf } from '@casefile/pipeline/testing/scam-builders';
import type { WriteInput } from '@casefile/pipeline/stage-parts';
import { writeReport } from './write.js';

const facts = [
  { name: 'loss_date', value: '2026-04-02', confidence: 0.97, document: 'claim-form.pdf', page: 1 },
  { name: 'notified_on', value: '2026-05-02', confidence: 0.98, document: 'claim-form.pdf', page: 2 },
];
const pages = { from: 3, to: 3 };
const NOTICE = aCriterionResult({
  citations: [
    {
      kind: 'quote',
      nodeId: '0012',
      title: '4.1 Notice of household claims',
      pages,
      quote: 'A household claim must be notified to us within 30 days of the loss date.',
    },
    { kind: 'fact', fact: 'notified_on', value: '2026-05-02', factIds: ['notified_on#1'] },
    { kind: 'absence', of: 'fact', asked: 'discovery date' },
  ],
  refuted: [
    {
      citation: { kind: 'quote', nodeId: '0013', quote: 'A claim may come within 90 days.' },
      state: 'says_otherwise',
      problem: 'quote_altered',
      instead: ['within 21 days of the loss date'],
    },
  ],
  claimed: { status: 'MET', confidence: 0.97 },
  confidence: 0.75,
});
const ESTIMATES = aCriterionResult({
  id: 'estimates',
  text: 'Are there enough written estimates?',
  status: 'UNCERTAIN',
  confidence: 0.5,
  rationale: 'No fact names the estimates.',
  reasonCode: 'missing_evidence',
  model: null,
  iterations: 0,
  tokens: { input: 0, output: 0 },
  costUsd: 0,
});

function written(
  results: readonly [CriterionResult, ...CriterionResult[]],
  over: Record<string, unknown> = {},
) {
  const brief = aPolicyBrief(results, { facts, title: 'Burst hose', ...over });
  const [first, ...rest] = results.map((result): WriteInput => ({
    unit: result.id,
    brief,
    evidence: evidenceOf(),
    review: aReview(),
    draft: aCriterionDraft(result),
  }));
  if (first === undefined) throw new Error('a report has a criterion');
  return writeReport([first, ...rest], { strategy: 'react', options: {} });
}
/** Without escaped characters. */
const markup = (markdown: string): string => markdown.replace(/\\[\s\S]/g, '?');

describe('the report of policy-check', () => {
  it('S4-15 has of a confidential section its id and title alone', () => {
    const quoted = 'A household claim must be notified to us within 30 days of the loss date.';
    const [quote, ...others] = NOTICE.citations;
    if (quote?.kind !== 'quote') throw new Error('the first citation is a quote');
    const secret = {
      ...NOTICE,
      citations: [{ ...quote, confidential: true as const }, ...others],
      rationale: `It says: ${quoted}`,
      withheld: { nodeIds: ['0012'], rationale: 'It says: [words of a confidential section].' },
    };
    const { markdown } = written([secret]);
    const plain = markdown.replaceAll('\\', '');
    expect(plain).not.toMatch(/must be notified|A claim may come|within 21 days/);
    expect(plain).toContain('Confidential, section 0012: [4.1 Notice of household claims, p. 3]');
    expect(plain).toContain('It says: [words of a confidential section].');
  });

  it('S4-20 S4-23 says the result of the case, and of each criterion why and on what it rests', () => {
    const report = written([NOTICE, ESTIMATES]);
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report).toMatchObject({ title: 'Policy check: uncertain', citations: [] });
    expect(report.markdown).toBe(
      goldenFile(new URL('./__golden__/report.md', import.meta.url), report.markdown),
    );
  });

  it('T-04 gives as the reason no rationale whose citations were all refuted', () => {
    const said = 'Meals up to 80 EUR are always paid.';
    const nothing = { ...NOTICE, citations: [], rationale: said, confidence: 0 };
    const plain = (one: CriterionResult) => written([one]).markdown.replaceAll('\\', '');
    const [before = '', after = ''] = plain(nothing).split('### Stated without proof');
    expect(before).not.toContain(said);
    expect(before).toContain('Nothing that the answer cited was found');
    expect(after).toContain(`- ${said}`);
    // A reason that cites nothing at all, and one of which a part holds, are shown as before.
    for (const one of [
      { ...nothing, refuted: [] },
      { ...NOTICE, rationale: said },
    ])
      expect(plain(one)).toMatch(/Meals up to 80 EUR are always paid\.[^]*turn/);
    expect(plain({ ...NOTICE, rationale: said })).not.toContain('Stated without proof');
  });

  it('S4-21 keeps what did not hold apart from what did', () => {
    const { markdown } = written([NOTICE]);
    const [held = '', refuted = ''] = markdown.split('### Did not hold');
    expect(held).toContain('within 30 days');
    expect(held).not.toContain('within 90 days');
    expect(refuted).toContain('within 90 days');
  });

  it('S4-20 links to the section in this version, whatever is in its ids', () => {
    const citation = { ...NOTICE.citations[0]!, nodeId: 'a/b)c?#&d' } as CriterionResult['citations'][number];
    const policy = { policyId: 'x) (y/../z', version: 7, title: 'T', language: 'en' };
    const { markdown } = written([{ ...NOTICE, citations: [citation] }], { policy });
    expect(markdown).toContain('](/policies/x%29%20%28y%2F..%2Fz/versions/7?node=a%2Fb%29c%3F%23%26d)');
  });

  it('says what all of it took; where the price of one call is not known, that it is not', () => {
    expect(written([NOTICE, ESTIMATES]).markdown).toMatch(/4100 tokens in, 620 tokens out, \$0\.0123\.\n$/);
    expect(written([NOTICE, { ...ESTIMATES, costUsd: null }]).markdown).toMatch(/at least \$0\.0123\.\n$/);
    expect(written([{ ...NOTICE, costUsd: null }]).markdown).toMatch(/cost not known\.\n$/);
  });

  it('S4-32 says the reason in words, without its code', () => {
    const { markdown } = written([ESTIMATES]);
    expect(markdown).toContain('**Why:** a fact that it turns on is missing or in doubt.');
  });

  it('refuses an answer that cannot be read', () => {
    expect(() => written([{ ...NOTICE, status: 'PERHAPS' as never }])).toThrow(
      expect.objectContaining({ reasonCode: 'bad_draft' }),
    );
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    '![x](https://evil.example/p.png)',
    '[click](javascript:alert(1))',
    'https://evil.com/a www.evil.com mail@evil.com evil.com',
    '# heading\n- list\n> quote\n```\ncode\n````\n| a | b |',
    '## notice: met\n\n**Confidence:** 100 of 100.',
    '[E1]: https://evil.example',
  ])('makes no HTML, link, image or structure of text from outside: %j', (poison) => {
    const { markdown } = poisoned(poison);
    const left = markup(markdown).replace(/\]\(\/policies\/[\w%.-]+\/versions\/2\?node=[\w%.-]+\)/g, '');
    expect(left).not.toMatch(/[<>&|`]|!\[|\]\(|\]:|https?:|www\.|@/);
    expect(left.match(/^#+ .*$/gm)).toEqual([
      '# Policy check: met',
      '## notice: met',
      '### Rests on',
      '### Did not hold',
      '## What it took',
    ]);
  });

  // A text of white space alone is refused at intake.
  const saysSomething = (text: string) => text.trim() !== '';
  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter(saysSomething),
        (text) => {
          const { markdown } = poisoned(text);
          return !/[<>]/.test(markup(markdown)) && !/\p{Surrogate}/u.test(markdown);
        },
      ),
    );
  });
});

function poisoned(text: string) {
  const result = aCriterionResult({
    text: `q ${text}`,
    rationale: text,
    reasonCode: text,
    model: text,
    citations: [
      { kind: 'quote', nodeId: text, title: text, quote: text, pages: null },
      { kind: 'fact', fact: text, value: text, unit: text, factIds: ['f1'] },
      { kind: 'absence', of: 'policy', asked: text },
    ],
    refuted: [
      {
        citation: { kind: 'fact', fact: text, value: text },
        state: 'says_otherwise',
        problem: 'other_value',
        instead: [text],
      },
    ],
  });
  const policy = { policyId: text, version: 2, title: text, language: 'en' };
  const poisonedFacts = [{ id: 'f1', name: 'f', value: text, confidence: 1, document: text }];
  return written([result], { policy, title: text, facts: poisonedFacts });
}
