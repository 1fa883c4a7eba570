import type { Nudge } from '@casefile/contracts';
import { DirectHandOn } from './direct-hand-on.js';

const nudge = (over: Partial<Extract<Nudge, { kind: 'stage' }>> = {}): Nudge => ({
  kind: 'stage',
  runId: 'r',
  unit: '',
  stage: 'collect',
  round: 1,
  lane: 'live',
  nudge: 1,
  ...over,
});

describe('going straight on with the next stage', () => {
  it('is not done unless it is wanted', () => {
    const direct = new DirectHandOn(false);
    direct.host('collect', { live: 5, bulk: 5 });
    expect(direct.pick([nudge()])).toBeNull();
  });

  it('is for stages that this process hosts', () => {
    const direct = new DirectHandOn(true);
    expect(direct.pick([nudge()])).toBeNull();
    direct.host('collect', { live: 1, bulk: 1 });
    expect(direct.pick([nudge()])).toEqual(nudge());
  });

  it('leaves what goes several ways, and tool calls, to the queue', () => {
    const direct = new DirectHandOn(true);
    direct.host('collect', { live: 5, bulk: 5 });
    expect(direct.pick([nudge({ unit: 'a' }), nudge({ unit: 'b' })])).toBeNull();
    expect(
      direct.pick([{ kind: 'tool', toolCallId: 't', tool: 'scam_db', lane: 'live', nudge: 1 }]),
    ).toBeNull();
    expect(direct.pick([])).toBeNull();
  });

  it('keeps to the slots of a stage, those of the lanes apart', () => {
    const direct = new DirectHandOn(true);
    direct.host('collect', { live: 1, bulk: 1 });
    const end = direct.begin('collect', 'live');
    expect(direct.pick([nudge()])).toBeNull();
    expect(direct.pick([nudge({ lane: 'batch' })])).not.toBeNull();
    end();
    expect(direct.pick([nudge()])).not.toBeNull();
  });
});
