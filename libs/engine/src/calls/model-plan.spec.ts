import type { LanguageModel } from '@casefile/contracts';
import { plainModel, routeAt, type ModelCandidate } from './model-plan.js';

const candidate = (provider: string, model: string): ModelCandidate => ({
  ...plainModel({
    provider,
    model,
    complete: () => Promise.reject(new Error('not called')),
  } as LanguageModel),
  route: 'first',
});
const [high, low, fallback, examiner] = [
  candidate('one', 'high'),
  candidate('one', 'low'),
  { ...candidate('two', 'm'), route: 'fallback' as const },
  candidate('two', 'examiner'),
];
const plan = { ways: [high, fallback], cheaper: null, low };
const namesOf = ({ ways }: { ways: readonly ModelCandidate[] }) => ways.map(({ model }) => model.model);

describe('T-39 the examiner of a run', () => {
  it('is asked first for a cross-examination, and then the models of the run', () => {
    const asked = routeAt({ ...plan, examiner }, { level: 'low', kind: 'cross-examination' });
    expect(namesOf(asked)).toEqual(['examiner', 'low']);
  });

  it('is asked for nothing else', () => {
    expect(namesOf(routeAt({ ...plan, examiner }, { level: 'low', kind: 'write' }))).toEqual(['low', 'm']);
    expect(namesOf(routeAt({ ...plan, examiner }, { kind: 'answer' }))).toEqual(['high', 'm']);
  });

  it('is the model of the run if no other one is configured', () => {
    expect(namesOf(routeAt(plan, { level: 'low', kind: 'cross-examination' }))).toEqual(['low', 'm']);
  });
});
