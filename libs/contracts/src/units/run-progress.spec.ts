import { progressOfRun, type UnitPlace } from '../index.js';

const at = (unit: string, status: UnitPlace['status'], stage: string, round = 1): UnitPlace => ({
  unit,
  status,
  stage,
  round,
});

describe('where a run is', () => {
  it('is where its units are, what needs a look first', () => {
    const units = [
      at('', 'joining', 'decide'),
      at('a', 'suspended', 'collect'),
      at('b', 'running', 'reason', 2),
    ];
    expect(progressOfRun('due', units)).toEqual({ status: 'running', stage: 'reason', round: 2 });
    const parked = [
      at('', 'joining', 'decide'),
      at('a', 'parked', 'reason'),
      at('b', 'finished', 'critique'),
    ];
    expect(progressOfRun('due', parked)).toEqual({ status: 'parked', stage: 'reason', round: 1 });
  });

  it('is at no stage any more once it is decided', () => {
    expect(progressOfRun('decided', [at('', 'decided', 'decide', 3)])).toEqual({
      status: 'decided',
      stage: null,
      round: 3,
    });
  });

  it('has stopped where the unit stands that stopped it', () => {
    const units = [at('', 'stopped', 'decide'), at('a', 'finished', 'critique')];
    expect(progressOfRun('stopped', units)).toEqual({ status: 'stopped', stage: 'decide', round: 1 });
    expect(progressOfRun('due', [])).toEqual({ status: 'due', stage: null, round: 1 });
  });
});
