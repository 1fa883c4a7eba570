import type { CaseListEntry } from '@casefile/contracts';
import { decidedByRules, mergeCases } from './merge-cases.js';

const line = (n: number, text = ''): CaseListEntry => ({
  caseId: `c${n}`,
  playbook: 'scam-verdict',
  status: 'open',
  lane: 'live',
  runId: `r${n}`,
  runStatus: 'due',
  stage: 'reason',
  round: 1,
  text,
  alertCount: 1,
  createdAt: `2026-01-01T00:00:0${n}.000Z`,
  updatedAt: `2026-01-01T00:00:0${n}.000Z`,
  verdict: null,
  costUsd: 0,
  hasReasoning: false,
  correction: null,
});
const lines = (...numbers: number[]): CaseListEntry[] => numbers.map((n) => line(n));
const ids = (merged: CaseListEntry[] | null) => merged?.map(({ caseId }) => caseId);

describe('S2-32 the live list of cases', () => {
  it('puts new cases before those that were paged through', () => {
    expect(ids(mergeCases(lines(6, 5, 4), false, lines(5, 4, 3, 2)))).toEqual(['c6', 'c5', 'c4', 'c3', 'c2']);
  });

  it('shows a case as the newest page has it', () => {
    const merged = mergeCases([line(5, 'new')], false, [line(5, 'old'), line(4)]);
    expect(merged?.[0]?.text).toBe('new');
  });

  it('has to be read again when more came than the first page holds', () => {
    expect(mergeCases(lines(9, 8, 7), false, lines(4, 3))).toBeNull();
  });

  it('drops a case that left the filter', () => {
    expect(ids(mergeCases(lines(6, 4), false, lines(6, 5, 4, 3)))).toEqual(['c6', 'c4', 'c3']);
  });

  it('is the first page when that is all there is', () => {
    expect(ids(mergeCases(lines(2, 1), true, lines(3, 2, 1)))).toEqual(['c2', 'c1']);
    expect(ids(mergeCases([], true, lines(1)))).toEqual([]);
  });
});

describe('a list of cases', () => {
  const of = (method: 'llm' | 'heuristic' | null) =>
    ({ verdict: method === null ? null : { method } }) as CaseListEntry;

  it('S1-17 says once that rules decided, where they decided all; else each row says it', () => {
    expect(decidedByRules([of('heuristic'), of(null), of('heuristic')])).toBe(true);
    expect(decidedByRules([of('heuristic'), of('llm')])).toBe(false);
    expect(decidedByRules([of(null)])).toBe(false);
  });
});
