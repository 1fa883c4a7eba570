import { done, revise, search } from '@casefile/contracts';
import { flow } from './flow.js';
import { handOn } from './hand-on.js';

const stage = (name: string) => flow.find((candidate) => candidate.name === name)!;
const at = { unit: '', round: 1, maxRounds: 3 };

describe('handOn', () => {
  it('goes to the next stage of the list in the same round', () => {
    expect(handOn(flow, stage('collect'), at, done({}))).toEqual({
      next: { stage: 'reason', round: 1 },
      joinStage: null,
      units: [],
    });
  });

  it('opens the next round at reason for a revision and at collect for a search', () => {
    expect(handOn(flow, stage('critique'), at, revise({}))?.next).toEqual({ stage: 'reason', round: 2 });
    expect(handOn(flow, stage('reason'), at, search({}))?.next).toEqual({ stage: 'collect', round: 2 });
  });

  it('goes on as if done when the rounds are used up', () => {
    expect(handOn(flow, stage('critique'), { ...at, round: 3 }, revise({}))?.next).toEqual({
      stage: 'write',
      round: 3,
    });
  });

  it('opens units, and lets each wait at the stage that joins them', () => {
    const opened = handOn(flow, stage('triage'), at, done({}, ['c1', 'c2']));
    expect(opened).toEqual({
      next: { stage: 'collect', round: 1 },
      joinStage: 'write',
      units: ['c1', 'c2'],
    });
    expect(handOn(flow, stage('critique'), { ...at, unit: 'c1' }, done({}))).toEqual({
      next: null,
      joinStage: 'write',
      units: [],
    });
  });

  it('ends with the last stage', () => {
    expect(handOn(flow, stage('decide'), at, done({}))).toBeNull();
  });
});
