import {
  EXA_SEARCH,
  json,
  startLocalService,
  virusTotalDomain,
  type LocalService,
} from '@casefile/evidence/testing';
import type { World } from './testing/world.js';

type MakeWorld = (env: Record<string, string>) => Promise<World>;

/** Tests what remote tools add to a case, in each of these worlds. */
export function asksRemoteTools(worlds: readonly [string, MakeWorld][]): void {
  describe.each(worlds)('remote tools: %s', (_name, makeWorld) => {
    let world: World;
    let exa: LocalService;
    let virusTotal: LocalService;
    beforeAll(async () => {
      exa = await startLocalService(json(EXA_SEARCH));
      virusTotal = await startLocalService(json(virusTotalDomain(9)));
      world = await makeWorld({
        EXA_API_KEY: 'test-key',
        EXA_BASE_URL: exa.baseUrl,
        RDAP_BASE_URL: 'off',
        VIRUSTOTAL_API_KEY: 'test-key',
        VIRUSTOTAL_BASE_URL: virusTotal.baseUrl,
      });
    });
    afterAll(async () => {
      await world.close();
      await Promise.all([exa.close(), virusTotal.close()]);
    });

    const judge = async (text: string) => {
      const { caseId } = await world.accept({ playbook: 'scam-verdict', text });
      return (await world.ended(caseId)).runs[0];
    };

    it('S1-10 S1-12 S1-13 suspends, runs each call as a job, joins, and numbers the evidence in the declared order', async () => {
      const run = await judge(
        'Your account is blocked, log in at http://secure-login.example/a1 or call +1 650 253 0000',
      );
      expect(run?.trace.map((event) => event.type)).toContain('stage.suspended');
      const items = run?.artifacts.find((entry) => entry.artifact === 'evidence')?.body['items'] as {
        id: string;
        toolName: string;
        success: boolean;
      }[];
      expect(items.map((item) => item.id)).toEqual(items.map((_, i) => `E${i + 1}`));
      const order = ['scam_db', 'exa_search', 'domain_reputation', 'phone_validator', 'text_signals'];
      const places = items.map((item) => order.indexOf(item.toolName));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(
        items.filter((item) => item.toolName === 'domain_reputation').map((item) => item.success),
      ).toEqual([true]);
      expect(run?.toolCalls.every((call) => call.state === 'succeeded')).toBe(true);
      expect(run?.verdict?.outcome).toMatchObject({ reasoningMethod: 'heuristic' });
    });

    it('S1-15 makes a gap of a source that is down, and decides all the same', async () => {
      exa.answer(json({ error: 'down' }, 401));
      const run = await judge('Invest now at http://double-coins.example/b2');
      const gaps = run?.toolCalls
        .filter((call) => call.state === 'failed')
        .map((call) => [call.tool, call.reasonCode]);
      expect(gaps).toEqual([['exa_search', 'bad_key']]);
      expect(run?.status).toBe('decided');
    });
  });
}
