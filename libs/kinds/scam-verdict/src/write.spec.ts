import { reportSchema } from '@casefile/contracts';
import fc from 'fast-check';
import {
  aBrief,
  aDraft,
  aReview,
  evidenceOf,
  failedItem,
  reports,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { writeReport } from './write.js';

const evidence = evidenceOf(reports(47), failedItem('exa_search'));
const report = (over: Partial<Parameters<typeof writeReport>[0]> = {}) =>
  writeReport({ brief: aBrief(), evidence, draft: aDraft(), review: aReview(), ...over });
/** Without code blocks, whose content is inert, and without escaped characters. */
const markup = (markdown: string) =>
  markdown.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '').replace(/\\[\s\S]/g, '?');

describe('the report', () => {
  it('S1-26 says level, confidence, explanation and evidence, and cites by id', () => {
    const { title, markdown, citations } = report();
    expect(title).toBe('Scam check: high risk');
    expect(markdown).toContain('**Confidence:** 85 of 100, by a language model.');
    expect(markdown).toContain('Many reports [E1].');
    expect(markdown).toContain('- [E1] scam\\_db on phone');
    expect(markdown).toContain('1 of 2 questions have no answer.');
    expect(citations).toEqual(['E1']);
    expect(reportSchema.safeParse(report()).success).toBe(true);
  });

  it('S1-25 says when it is a fallback; S1-27 has the findings of the review', () => {
    expect(
      report({ draft: aDraft({ method: 'heuristic', fallbackReason: 'no_provider' }) }).markdown,
    ).toContain('by rules: no language model is configured');
    const findings = [{ id: 'a', code: 'a', message: 'cites E9 which is unknown' }];
    expect(report({ review: aReview({ ruling: 'WARN', findings }) }).markdown).toContain(
      '- cites E9 which is unknown',
    );
  });

  it('S1-16 says how like those of known scams the words of the text are', () => {
    const found = textSignals();
    const result = { ...(found.result as object), message_model: { score: 0.1, words: ['Hello'] } };
    expect(report({ evidence: evidenceOf({ ...found, result }) }).markdown).toContain(
      'Its words are 0.10 like those of known scams, from 0 (harmless) to 1, above all "Hello"',
    );
    expect(report({ evidence: evidenceOf(found) }).markdown).not.toContain('known scams');
  });

  it('S1-17 T-33 states neither a risk nor certainty where the rules could not clear the text', () => {
    const answer = { riskLevel: 'low', confidence: 100, unconfirmed: true };
    const { title, markdown } = report({
      draft: aDraft({ method: 'heuristic', confidence: 1, answer }),
      evidence: evidenceOf(textSignals()),
    });
    expect(title).toBe('Scam check: nothing shows a scam, and nothing shows that it is harmless');
    expect(markdown).toContain('**Risk by the look-ups alone:** low');
    expect(markdown).not.toContain('100 of 100');
  });

  it('S1-17 calls signs in the text what they are where the look-ups found little, and is not sure of it', () => {
    const of = (kind: 'heuristic' | 'llm', evidence = evidenceOf(textSignals('deadline'))) => {
      const answer = { riskLevel: 'low', confidence: 100 };
      return report({ draft: aDraft({ method: kind, confidence: 1, answer }), evidence });
    };
    const { title, markdown } = of('heuristic');
    expect(title).toBe('Scam check: signs of a scam in the text, confirmed by no look-up');
    expect(markdown).toContain('**Risk by the look-ups alone:** low, by rules, without a language model.');
    expect(markdown).not.toContain('100 of 100');
    for (const sure of [of('llm'), of('heuristic', evidenceOf(textSignals()))]) {
      expect(sure.title).toBe('Scam check: low risk');
      expect(sure.markdown).toContain('**Confidence:** 100 of 100');
    }
  });

  it('cites only what is known', () => {
    const { markdown, citations } = report({
      draft: aDraft({ explanation: 'See [E9].', evidenceUsed: ['E9', 'E2'] }),
    });
    expect(citations).toEqual(['E2']);
    expect(markdown).toContain('\\[E9\\]');
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    '![x](https://evil.example/p.png)',
    '[click](javascript:alert(1))',
    'https://evil.com/a www.evil.com mail@evil.com evil.com',
    '# heading\n- list\n> quote\n```\ncode\n````\n| a | b |',
    '[E1]: https://evil.example',
    '&lt;b&gt; &#60;',
    '````text\n</div>',
  ])('makes no HTML, link, image or structure of text from outside: %j', (poison) => {
    const { markdown } = report({
      brief: aBrief({
        text: poison,
        notes: [poison],
        entities: { url: [poison], [poison.slice(0, 60)]: [poison] },
      }),
      evidence: evidenceOf(
        { toolName: 'x', entityValue: poison, result: poison, source: poison },
        { ...failedItem('y'), message: poison },
      ),
      draft: aDraft({ explanation: poison, fallbackReason: poison }),
      review: aReview({ ruling: 'WARN', findings: [{ id: 'a', code: 'a', message: poison }] }),
    });
    const left = markup(markdown);
    expect(left).not.toMatch(/[<>&|`]|!\[|\]\(|\]:|https?:|www\.|@/);
    expect(left.match(/^#+ .*$/gm)).toEqual([
      '# Scam check: high risk',
      '## Evidence',
      '## Findings of the review',
      '## What the text names',
      '## Unusual about the text',
      '## The text',
    ]);
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { markdown } = report({
          brief: aBrief({ text, notes: [text] }),
          draft: aDraft({ explanation: text }),
        });
        return !/[<>]/.test(markup(markdown)) && !/\p{Surrogate}/u.test(markdown);
      }),
    );
  });
});
