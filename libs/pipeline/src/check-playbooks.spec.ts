import { checkPlaybooks } from './check-playbooks.js';
import { playbooks } from './playbooks/index.js';
import { scamVerdict } from './playbooks/scam-verdict.js';

const tools = ['scam_db', 'exa_search', 'domain_reputation', 'phone_validator', 'find_similar_scams'];

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

  it('refuses a name twice, and single-shot without a question', () => {
    const mute = { ...scamVerdict, answer: undefined };
    expect(() => checkPlaybooks({ playbooks: [scamVerdict, mute], tools })).toThrow(
      /listed twice[\s\S]*has no prompt/,
    );
  });
});
