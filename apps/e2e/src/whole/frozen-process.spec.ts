import { pause, until } from '@casefile/contracts/testing';
import { fiveServices, type FiveServices } from '../testing/five-services.js';

const CASES = 12;
const CALL_MS = 1_500;
/** Time limit of a case, and the longer time for which the process is frozen. */
const [LIMIT_MS, FROZEN_MS] = [20_000, 22_000];

describe('R12 a reasoner that is frozen while its calls are under way', () => {
  let system: FiveServices;
  const judge = (name: string) =>
    system.alert({
      playbook: 'scam-verdict',
      text: `Your account ${name} is locked. Confirm your password at http://bank-login.example/${name}`,
    });
  const count = async (what: string): Promise<number> => {
    const [row] = await system.store.database.rows<{ n: number }>(`select count(*)::int as n from ${what}`);
    return row?.n ?? 0;
  };
  const decided = (expected: number) =>
    until(`${expected} cases are decided`, async () => (await count('deliveries')) === expected);

  beforeAll(async () => {
    system = await fiveServices({
      script: { delayMs: CALL_MS },
      settings: { playbooks: { 'scam-verdict': { deadlineMs: LIMIT_MS } } },
    });
    await system.start();
  });
  afterAll(() => system?.close());

  it('opens no circuit, and no later case is judged without the model', async () => {
    for (let i = 0; i < CASES; i += 1) await judge(`before-${i}`);
    await until(
      'calls are under way',
      async () => (await count(`llm_interactions where state = 'pending'`)) > 0,
    );
    const { pid } = system.service('reasoner');
    process.kill(pid!, 'SIGSTOP');
    await pause(FROZEN_MS, 'the process is frozen');
    process.kill(pid!, 'SIGCONT');
    const later: string[] = [];
    for (let i = 0; i < CASES; i += 1) later.push(await judge(`after-${i}`));
    await decided(2 * CASES);
    const changes = await system.store.database.rows(`select * from events where type = 'provider.circuit'`);
    expect(changes).toEqual([]);
    expect(await count(`runs where degraded and case_id in ('${later.join("','")}')`)).toBe(0);
  });
});
