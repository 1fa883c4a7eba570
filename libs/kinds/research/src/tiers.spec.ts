import { tiersFor, type TierEntry } from './tiers.js';

const tiers = (name: string): TierEntry[] => [{ name, tier: 1, type: 'official', domains: [] }];
const lists = {
  sourceTiers: tiers('general'),
  sourceTiersByLanguage: { zh: tiers('zh'), ja: tiers('ja'), ko: tiers('ko') },
};

describe('the tiers for a question', () => {
  it.each([
    ['4月電價要漲嗎？', 'zh'],
    ['電価は上がりますか？', 'ja'],
    ['전기 요금이 오르나요?', 'ko'],
    ['Will prices rise?', 'general'],
    // A name or a sign of another script does not make the language of a question.
    ['台灣的便利商店推出の字號優惠，4月起全面調漲價格是真的嗎？', 'zh'],
    ['Will the price of 電価 rise in April?', 'general'],
    ['Did トヨタ recall its electric cars in April?', 'general'],
    ['삼성 reported a loss in the first quarter, is this true?', 'general'],
  ])('%s: %s', (query, name) => {
    expect(tiersFor(query, lists)[0]!.name).toBe(name);
  });
});
