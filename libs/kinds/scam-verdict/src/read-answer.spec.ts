import { draftSchema } from '@casefile/contracts';
import fc from 'fast-check';
import {
  anInput,
  complaints,
  evidenceOf,
  failedItem,
  reports,
} from '@casefile/pipeline/testing/scam-builders';
import { readAnswer } from './question.js';

const input = anInput(evidenceOf(reports(47), complaints(12), complaints(3), failedItem('phone_validator')));
const valid = { riskLevel: 'high', confidence: 85, explanation: 'Many reports [E1].', evidenceUsed: ['E1'] };
const text = (over: object = {}) => JSON.stringify({ ...valid, ...over });

function draftOf(content: string) {
  const read = readAnswer(content, input);
  if ('problem' in read) throw new Error(read.problem);
  return read.value;
}
function problemOf(content: string): string {
  const read = readAnswer(content, input);
  return 'problem' in read ? read.problem : 'none';
}

describe('reading an answer', () => {
  it('S1-23 takes level, confidence, explanation and evidence', () => {
    expect(draftOf(text())).toMatchObject({
      answer: valid,
      explanation: 'Many reports [E1].',
      confidence: 0.85,
      confidenceSource: 'llm',
      method: 'llm',
      evidenceUsed: ['E1'],
      remarks: [],
    });
  });

  it.each(['HIGH', 'High', ' high '])('S1-23 takes the level in any case: %s', (riskLevel) => {
    expect(draftOf(text({ riskLevel })).answer['riskLevel']).toBe('high');
  });

  it('S1-23 takes 50 when the confidence is missing', () => {
    const draft = draftOf(text({ confidence: undefined }));
    expect(draft).toMatchObject({
      confidence: 0.5,
      remarks: ['confidence_missing'],
      answer: { confidence: 50 },
    });
  });

  it.each([0.85, '85', '85%', '0.85', '85 percent', '85/100', '0,85', 'about 85 %'])(
    'S1-23 reads a confidence that has one reading, on either scale: %j',
    (confidence) => {
      const draft = draftOf(text({ confidence }));
      expect(draft.answer['confidence']).toBe(85);
      expect(draft.confidence).toBe(0.85);
    },
  );

  it.each([900, 120, 100.5, -5, '250', 1, '1', '0.9%', '80-90', '1 or 2', 'high', '1,000'])(
    'S1-23 asks again for a confidence that has more than one reading, or none: %j',
    (confidence) => {
      expect(problemOf(text({ confidence }))).toContain('expected a number from 0 to 100');
    },
  );

  it.each([null, true, [85]])('S1-23 a confidence that is not a number is invalid: %j', (confidence) => {
    expect(problemOf(text({ confidence }))).toContain('confidence: expected a number from 0 to 100');
  });

  it.each(['', '  \n', undefined, 7])(
    'S1-23 an explanation that is empty or no text is invalid: %j',
    (explanation) => {
      expect(problemOf(text({ explanation }))).toContain('explanation: expected a text');
    },
  );

  it.each([
    ['High Risk', 'high'],
    ['**HIGH**', 'high'],
    ['risk: low', 'low'],
    ['LOW_RISK', 'low'],
  ])('S1-23 finds the level in words around it: %s', (riskLevel, level) => {
    expect(draftOf(text({ riskLevel })).answer['riskLevel']).toBe(level);
  });

  it.each([
    ['[]', []],
    ['none', []],
    ['E1, E2', ['E1', 'E2']],
    ['[E1] and [E2]', ['E1', 'E2']],
    ['["E1","E2"]', ['E1', 'E2']],
    ['- E1\n- E2', ['E1', 'E2']],
    ['E1', ['E1']],
  ])('S1-23 reads a list that came as a text: %j', (evidenceUsed, ids) => {
    expect(draftOf(text({ evidenceUsed })).evidenceUsed).toEqual(ids);
  });

  it.each([
    ['a draft first', `First guess: ${text({ riskLevel: 'low' })}\nAfter checking: ${text()}`],
    ['braces in the prose', `Of the set {low, high} it is {a} and {b, c}: ${text()}`],
    ['braces after it', `${text()}\nwhere {E1} is the report {of 47}.`],
    ['another object after it', `${text()}\n{"note":"done"}`],
    ['an object around it', `{"scam_verdict":${text()}}`],
    ['a list around it', `[${text()}]`],
    ['encoded twice', JSON.stringify(text())],
    ['a broken draft', `{riskLevel: low ${text()}`],
    [
      'the final one with a comma too many',
      `Draft: ${text({ riskLevel: 'low' })} Final: ${text().replace(/\}$/, ',}')}`,
    ],
  ])('S1-24 takes the last object that fits: %s', (_what, content) => {
    expect(draftOf(content).answer).toMatchObject({ riskLevel: 'high', confidence: 85 });
  });

  it.each(['critical', '', 'not high', 'low to high', 'medium/high', undefined, 3])(
    'S1-23 an unknown level is invalid: %j',
    (riskLevel) => {
      expect(problemOf(text({ riskLevel }))).toContain('riskLevel: expected one of');
    },
  );

  it('S1-23 a tool name stands for its items, ids in any case or brackets are known, each once', () => {
    const used = ['exa_search', 'e1', '[E1]', 'E1', 'Exa_Search'];
    expect(draftOf(text({ evidenceUsed: used })).evidenceUsed).toEqual(['E2', 'E3', 'E1']);
  });

  it('S1-23 keeps unknown ids for the critic, out of the claims', () => {
    const draft = draftOf(text({ evidenceUsed: ['E1', 'E99'] }));
    expect(draft.evidenceUsed).toEqual(['E1', 'E99']);
    expect(draft.claims[0]!.citations).toEqual(['E1']);
  });

  it('S1-23 takes a missing list as empty and says so; other types are invalid; unknown keys are ignored', () => {
    expect(draftOf(text({ evidenceUsed: undefined }))).toMatchObject({
      evidenceUsed: [],
      remarks: ['evidence_used_missing'],
    });
    expect(problemOf(text({ evidenceUsed: [1] }))).toContain('evidenceUsed[0]: expected an evidence id');
    expect(draftOf(text({ mood: 'sad', score: 3 })).answer).not.toHaveProperty('mood');
  });

  it.each([
    ['bare', text()],
    ['with a byte order mark', `\ufeff${text()}`],
    ['fenced with a language', `Here it is:\n\`\`\`json\n${text()}\n\`\`\`\nDone.`],
    ['fenced without a language', `\`\`\`\n${text()}\n\`\`\``],
    ['fenced on one line', `\`\`\`json ${text()} \`\`\``],
    ['fenced with tildes', `~~~JSON\n${text()}\n~~~`],
    ['after another block', `\`\`\`\nno object\n\`\`\`\n\`\`\`json\n${text()}\n\`\`\``],
    ['in prose', `Sure! ${text()} Hope that helps.`],
    ['with single quotes and a trailing comma', text().replaceAll('"', "'").replace(/}$/, ',}')],
    ['cut off', text().slice(0, -1)],
    ['with an unclosed fence', `\`\`\`json\n${text()}`],
  ])('S1-24 reads JSON %s', (_, content) => {
    expect(draftOf(content).answer).toMatchObject({ riskLevel: 'high', confidence: 85 });
  });

  it.each(['', 'I cannot help with that.', '[]', '"high"', '[[[['.repeat(5_000), '{'.repeat(50_000)])(
    'S1-24 says what is wrong when there is no object (case %#)',
    (content) => {
      expect(problemOf(content)).not.toBe('none');
    },
  );

  it('R13 keeps what cannot be stored out of a draft: NUL and halves of characters', () => {
    const draft = draftOf(
      '{"riskLevel":"low","confidence":2,"explanation":"a\\u0000b\\ud800","evidenceUsed":["E\\u0000\\udc00"]}',
    );
    expect(draft.explanation).toBe('ab\ufffd');
    expect(JSON.stringify(draft)).not.toMatch(/\\u0000|\\ud800|\\udc00/);
  });

  it('R13 reads 2,000 fuzzed answers without throwing, into valid drafts or a problem', () => {
    let drafts = 0;
    fc.assert(
      fc.property(fuzzed(), (content) => {
        const read = readAnswer(content, input);
        if ('problem' in read) return read.problem.length > 0;
        drafts += 1;
        return draftSchema.safeParse({ ...read.value, strategy: 'single-shot' }).success;
      }),
      { numRuns: 500, seed: 20_260_105 },
    );
    expect(drafts).toBeGreaterThan(100);
  });
});

// Arbitrary texts, valid answers with odd values, and valid answers with pieces cut out, doubled or replaced.
function fuzzed(): fc.Arbitrary<string> {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('HIGH', 1e308, -0, '50', null, ['E1'], 'scam_db'));
  const field = fc.constantFrom(
    'riskLevel',
    'confidence',
    'explanation',
    'evidenceUsed',
    '__proto__',
    'constructor',
  );
  const changed = fc
    .array(fc.tuple(field, odd), { maxLength: 3 })
    .map((pairs) => text(Object.fromEntries(pairs)));
  const mutated = fc
    .tuple(changed, fc.nat(300), fc.nat(20), fc.string({ unit: 'binary', maxLength: 8 }))
    .map(([json, at, cut, put]) => json.slice(0, at) + put + json.slice(at + cut));
  const wrapped = fc
    .tuple(
      fc.oneof(changed, mutated),
      fc.constantFrom('```json\n', '```', 'So: ', '<think>{}</think>'),
      fc.boolean(),
    )
    .map(([json, head, close]) => `${head}${json}${close ? '\n```' : ''}`);
  return fc.oneof(fc.string({ unit: 'binary' }), fc.json(), changed, mutated, wrapped);
}
