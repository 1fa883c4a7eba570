import type { AlertInput, JsonObject } from '@casefile/contracts';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { policyCheck } from './playbook.js';
import { bundleOf, bundleProblems, checkedBundle, bundleCriterion, readBundle } from './case-bundle.js';

const samples = JSON.parse(
  readFileSync(new URL('../../../../samples/policy-cases.json', import.meta.url), 'utf8'),
) as JsonObject[];
const policy = { policyId: 'claims', version: 2, title: 'Claims', language: 'en' };
const fact = (over: JsonObject = {}): JsonObject => ({
  name: 'loss_date',
  value: '2026-04-02',
  confidence: 0.9,
  ...over,
});
const bundle = (over: JsonObject = {}): JsonObject => ({
  policy: 'claims',
  facts: [fact()],
  criteria: [{ id: 'notice', text: 'In time?' }],
  ...over,
});
const pathsOf = (payload: JsonObject | undefined) => bundleProblems(payload).map(({ path }) => path);

describe('a case bundle', () => {
  it('S4-20 is read from every sample', () => {
    expect(samples.map((sample) => bundleProblems(sample))).toEqual(samples.map(() => []));
  });

  it.each<[string, JsonObject | undefined, string[]]>([
    ['no payload', undefined, ['payload']],
    ['nothing in it', {}, ['payload.policy', 'payload.facts', 'payload.criteria']],
    ['no criterion', bundle({ criteria: [] }), ['payload.criteria']],
    [
      'a criterion without a question',
      bundle({ criteria: [{ id: 'a', text: ' ' }] }),
      ['payload.criteria[0].text'],
    ],
    ['an id that is no unit', bundle({ criteria: [{ id: 'a b', text: 'x' }] }), ['payload.criteria[0].id']],
    [
      'an id twice',
      bundle({
        criteria: [
          { id: 'a', text: 'x' },
          { id: 'a', text: 'y' },
        ],
      }),
      ['payload.criteria[1].id'],
    ],
    ['a fact id twice', bundle({ facts: [fact({ id: 'f' }), fact({ id: 'f' })] }), ['payload.facts[1].id']],
    ['a fact without a name', bundle({ facts: [fact({ name: '--' })] }), ['payload.facts[0].name']],
    ['a confidence above 1', bundle({ facts: [fact({ confidence: 90 })] }), ['payload.facts[0].confidence']],
    ['a value that is an object', bundle({ facts: [fact({ value: {} })] }), ['payload.facts[0].value']],
    ['more to be met than there are', bundle({ combine: { rule: 'n-of-m', n: 2 } }), ['payload.combine.n']],
    ['a rule that is none', bundle({ combine: { rule: 'most' } }), ['payload.combine.rule']],
    ['version 0', bundle({ policyVersion: 0 }), ['payload.policyVersion']],
    [
      'an id that is made for a fact without one',
      bundle({ facts: [fact({ name: 'other', id: 'loss_date#1' }), fact()] }),
      ['payload.facts[1].id'],
    ],
    [
      'a box in pixels',
      bundle({ facts: [fact({ box: [10, 10, 90, 40] })] }),
      [0, 1, 2, 3].map((i) => `payload.facts[0].box[${i}]`),
    ],
  ])('S4-23 says which field is wrong: %s', (_what, payload, paths) => {
    expect(pathsOf(payload)).toEqual(paths);
    expect(policyCheck.intake.problems({ payload })).toHaveLength(paths.length);
  });

  it('says what a value may be', () => {
    const [problem] = bundleProblems(bundle({ facts: [fact({ value: { amount: 1 } })] }));
    expect(problem).toMatchObject({
      path: 'payload.facts[0].value',
      message: expect.stringContaining('a number'),
    });
  });

  it('keeps what it does not know out of the run, and combines by all when nothing is said', () => {
    const read = checkedBundle(readBundle(bundle({ expected: { status: 'MET' } })), policy);
    expect(read).toEqual({
      policy,
      title: null,
      combine: { rule: 'all' },
      criteria: [{ id: 'notice', text: 'In time?' }],
      facts: [{ ...fact(), id: 'loss_date#1' }],
    });
    expect(bundleOf({ input: read as unknown as JsonObject })).toEqual(read);
    expect(bundleCriterion(read, 'notice').text).toBe('In time?');
    expect(() => bundleCriterion(read, 'other')).toThrow(/no criterion "other"/);
  });

  it('never throws for what it is handed in, and says a path for each thing that is wrong', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('policy', 'facts', 'criteria', 'combine'),
          fc.json().map((t) => JSON.parse(t)),
        ),
        (payload) => {
          for (const { path, message } of bundleProblems(payload)) {
            expect(path).toMatch(/^payload/);
            expect(message).not.toBe('');
          }
        },
      ),
    );
  });

  it('is known by its policy and criteria', () => {
    const claims = (alert: AlertInput) => policyCheck.intake.claims(alert, () => ({}));
    expect(claims({ payload: bundle() })).toMatchObject({ strength: 'matches' });
    expect(claims({ payload: { alertname: 'disk' } })).toBeNull();
    expect(claims({ text: 'hello' })).toBeNull();
  });
});
