import { selectArtifacts, type AppendedArtifact } from '../index.js';

const of = (unit: string, artifact: AppendedArtifact['artifact'], round: number): AppendedArtifact => ({
  unit,
  artifact,
  round,
  body: { from: `${unit}/${round}` },
});
const record = [
  of('', 'brief', 1),
  of('', 'evidence', 1),
  of('a', 'evidence', 1),
  of('a', 'draft', 1),
  of('a', 'draft', 2),
  of('b', 'draft', 1),
];
const request = { unit: 'a', round: 2, reads: [], readsPrevious: [], joins: false };

describe('the artifacts that a stage is handed', () => {
  it('are its own of the highest round so far, or what the run had before units were opened', () => {
    const reads = ['brief', 'evidence', 'draft', 'review'] as const;
    expect(selectArtifacts({ ...request, reads }, record, []).artifacts).toEqual({
      brief: { from: '/1' },
      evidence: { from: 'a/1' },
      draft: { from: 'a/2' },
    });
    expect(selectArtifacts({ ...request, round: 1, reads }, record, []).artifacts.draft).toEqual({
      from: 'a/1',
    });
  });

  it('are of the rounds before, where it asks for those', () => {
    const { artifacts, previous } = selectArtifacts({ ...request, readsPrevious: ['draft'] }, record, []);
    expect([artifacts, previous]).toEqual([{}, { draft: { from: 'a/1' } }]);
  });

  it('are those of every unit where it joins them, in the order of their names', () => {
    const joining = { ...request, unit: '', joins: true, reads: ['brief', 'draft'] as const };
    expect(selectArtifacts(joining, record, ['b', 'a']).units).toEqual([
      { unit: 'a', artifacts: { brief: { from: '/1' }, draft: { from: 'a/2' } } },
      { unit: 'b', artifacts: { brief: { from: '/1' }, draft: { from: 'b/1' } } },
    ]);
    expect(selectArtifacts(joining, record, []).units).toEqual([
      { unit: '', artifacts: { brief: { from: '/1' } } },
    ]);
  });
});
