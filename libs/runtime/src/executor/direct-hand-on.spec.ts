import { DirectHandOn } from './direct-hand-on.js';

const hosting = (isWanted: boolean, live = 5) => {
  const direct = new DirectHandOn(isWanted);
  direct.host('collect', { live, bulk: live });
  return direct;
};

describe('continuing with the next stage', () => {
  it('is for stages that this process hosts', () => {
    const direct = new DirectHandOn(true);
    expect([true, false].map((own) => direct.mayFollow('collect', 'live', own))).toEqual([false, false]);
  });

  it('crosses to another service only with `handOn: direct`', () => {
    expect(hosting(false).mayFollow('collect', 'live', false)).toBe(false);
    expect(hosting(false).mayFollow('collect', 'live', true)).toBe(true);
    expect(hosting(true).mayFollow('collect', 'live', false)).toBe(true);
  });

  it('keeps to the slots of a stage of another service, separately for live and bulk lanes', () => {
    const direct = hosting(true, 1);
    const end = direct.begin('collect', 'live');
    expect(direct.mayFollow('collect', 'live', false)).toBe(false);
    expect(direct.mayFollow('collect', 'live', true)).toBe(true);
    expect(direct.mayFollow('collect', 'batch', false)).toBe(true);
    end();
    expect(direct.mayFollow('collect', 'live', false)).toBe(true);
  });
});
