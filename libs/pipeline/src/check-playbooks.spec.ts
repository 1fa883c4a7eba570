import { checkPlaybooks } from './check-playbooks.js';
import { playbooks } from './playbooks/index.js';
import { policyCheck } from './playbooks/policy-check.js';
import { scamVerdict } from './playbooks/scam-verdict.js';

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

  it('refuses an unknown strategy, reviewer and policy, all in one message', () => {
    const wrong = { ...scamVerdict, strategy: 'guess', reviewer: 'nobody', policy: 'dice' };
    expect(() => checkPlaybooks({ playbooks: [wrong], tools })).toThrow(
      /strategy "guess"[\s\S]*reviewer "nobody"[\s\S]*policy "dice"/,
    );
  });

  it('refuses a strategy by turns without a controller, and a controller with a tool that the playbook has not', () => {
    const mute = { ...policyCheck, controller: undefined };
    expect(() => checkPlaybooks({ playbooks: [mute], tools })).toThrow(/has no prompt: give it `controller`/);
    const greedy = { ...policyCheck, tools: ['policy_get'] };
    expect(() => checkPlaybooks({ playbooks: [greedy], tools })).toThrow(
      /tool for its controller "pi_search"/,
    );
  });

  it('refuses a name twice, and single-shot without a question', () => {
    const mute = { ...scamVerdict, answer: undefined };
    expect(() => checkPlaybooks({ playbooks: [scamVerdict, mute], tools })).toThrow(
      /listed twice[\s\S]*has no prompt/,
    );
  });
});
