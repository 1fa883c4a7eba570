import { judgeCall } from '../index.js';

const call = { stage: 'collect', round: 1, attempts: 2, crashes: 0, leaseLive: false };
const unit = { status: 'suspended', stage: 'collect', round: 1 };

describe('who may run a tool call', () => {
  it('takes what is pending, and what a dead worker left, with one crash more', () => {
    expect(judgeCall({ ...call, state: 'pending' }, unit)).toEqual({ kind: 'take', crashes: 0 });
    expect(judgeCall({ ...call, state: 'running', crashes: 1 }, unit)).toEqual({ kind: 'take', crashes: 2 });
  });

  it('refuses what is settled, and what somebody runs', () => {
    for (const state of ['succeeded', 'failed'] as const)
      expect(judgeCall({ ...call, state }, unit)).toEqual({ kind: 'refuse', reason: 'settled' });
    const held = { ...call, state: 'running' as const, leaseLive: true };
    expect(judgeCall(held, unit)).toEqual({ kind: 'refuse', reason: 'leased' });
  });

  it('gives up what killed three workers, and what no unit waits for any more', () => {
    const settlement = { state: 'failed', result: null, attempts: 2 };
    const poison = judgeCall({ ...call, state: 'running', crashes: 2 }, unit);
    expect(poison).toMatchObject({ settlement: { ...settlement, reasonCode: 'crashed_repeatedly' } });
    for (const left of [
      { ...unit, stage: 'reason' },
      { ...unit, round: 2 },
      { ...unit, status: 'stopped' },
    ])
      expect(judgeCall({ ...call, state: 'pending' }, left)).toMatchObject({
        settlement: { ...settlement, reasonCode: 'abandoned' },
      });
  });
});
