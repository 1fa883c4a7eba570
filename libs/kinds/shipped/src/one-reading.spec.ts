import { aRunSettings } from '@casefile/contracts/testing';
import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import { aBrief, domainRisk, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { scamVerdict } from '@casefile/scam-verdict/playbook';

describe('S3-44 T-33 both kinds read a message in one way', () => {
  it('they ask the same tools, and one of them known patterns apart', () => {
    const own = messageScreening.tools.filter((tool) => tool !== 'find_similar_scams');
    expect(own.toSorted()).toEqual(scamVerdict.tools.toSorted());
  });

  it('a domain of high risk counts in both', () => {
    const evidence = evidenceOf(textSignals('asks_money'), domainRisk('high'));
    const input = { brief: aBrief({ mode: 'normal' }), evidence, previous: {} };
    const settings = aRunSettings({ playbook: 'message-screening' });
    expect(screeningRules.answer(input, '', settings).answer).toMatchObject({ isScam: true });
  });
});
