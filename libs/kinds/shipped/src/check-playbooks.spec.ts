import { checkPlaybooks } from '@casefile/pipeline/check-playbooks';
import { playbooks } from './loaded.js';
import { policyCheck } from '@casefile/policy-check/playbook';
import { scamVerdict } from '@casefile/scam-verdict/playbook';

const tools = playbooks.flatMap((playbook) => playbook.tools);

describe('checkPlaybooks', () => {
  it('finds nothing wrong with the shipped ones', () => {
    expect(() => checkPlaybooks({ playbooks, tools })).not.toThrow();
  });

  it('S1-15 refuses a tool that does not exist (one without a key does), and says the mend', () => {
    const act = () => checkPlaybooks({ playbooks, tools: ['scam_db'] });
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'bad_playbook' }));
    expect(act).toThrow(/the tool "exa_search", which does not exist: add it to .* or name one of scam_db/);
  });

  it('refuses a strategy that calls a tool which the playbook has not', () => {
    const greedy = { ...policyCheck, tools: ['policy_get'] };
    expect(() => checkPlaybooks({ playbooks: [greedy], tools })).toThrow(
      /strategy "react" of playbook "policy-check" calls the tool "pi_search"/,
    );
  });

  it('S2-07 refuses a name twice, and a playbook that cannot do without a model; all in one message', () => {
    const { 'single-shot': asking } = scamVerdict.strategies;
    const needy = { ...scamVerdict, strategies: { 'single-shot': asking! } };
    expect(() => checkPlaybooks({ playbooks: [scamVerdict, needy], tools })).toThrow(
      /listed twice[\s\S]*has no strategy that asks no model/,
    );
  });
});
