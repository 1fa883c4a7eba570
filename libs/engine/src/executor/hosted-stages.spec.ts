import { HostedStages } from './hosted-stages.js';

const hosting = (live: number) => {
  const hosted = new HostedStages();
  hosted.add('collect', { live, bulk: live });
  return hosted;
};

describe('HostedStages', () => {
  it('has no slot for a stage that this process does not host', () => {
    const hosted = new HostedStages();
    hosted.begin('collect', 'live')();
    expect([hosted.has('collect'), hosted.isFree('collect', 'live')]).toEqual([false, false]);
    expect(hosted.reserve('collect', 'live')).toBeNull();
  });

  it('counts the slots of live and of bulk lanes separately', () => {
    const hosted = hosting(1);
    const free = hosted.begin('collect', 'live');
    expect([hosted.isFree('collect', 'live'), hosted.isFree('collect', 'batch')]).toEqual([false, true]);
    expect(hosted.reserve('collect', 'live')).toBeNull();
    free();
    expect(hosted.isFree('collect', 'live')).toBe(true);
  });

  it('expects twice as many live units as it has slots, and no bulk work', () => {
    const hosted = hosting(1);
    expect(hosted.reserve('collect', 'batch')).toBeNull();
    const end = hosted.reserve('collect', 'live');
    expect(hosted.reserve('collect', 'live')).not.toBeNull();
    expect(hosted.reserve('collect', 'live')).toBeNull();
    end?.();
    expect(hosted.reserve('collect', 'live')).not.toBeNull();
  });
});
