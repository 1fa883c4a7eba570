import type { Alert, JsonObject, ToolCall } from '@casefile/contracts';
import { triage } from '@casefile/pipeline/stages';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { policyCheck } from './playbook.js';

describe('triage of a policy check', () => {
  const alert = (payload: JsonObject): Alert => ({
    id: 'a',
    playbook: 'policy-check',
    receivedAt: '2026-01-05T10:00:00.000Z',
    payload,
  });
  const bundle = {
    policy: 'claims',
    facts: [],
    criteria: [
      { id: 'c1', text: 'In time?' },
      { id: 'c2', text: 'Enough?' },
    ],
  };
  const ask = async (came: Partial<ToolCall>) => {
    const asked: JsonObject[] = [];
    const ports = fakePorts({ playbook: policyCheck });
    const inline = async (_step: number, requests: { args: JsonObject }[]) => {
      asked.push(...requests.map(({ args }) => args));
      return [came as ToolCall];
    };
    const run = triage.run(
      { alert: alert(bundle), artifacts: {}, previous: {}, units: [] },
      { ...ports, tools: { ...ports.tools, inline } },
    );
    return { asked, outcome: await run };
  };

  it('opens a unit for each criterion and holds the run to the version of the policy that is there now', async () => {
    const found = { version: 7, title: 'Claims', language: 'en' };
    const { asked, outcome } = await ask({ state: 'succeeded', result: found });
    expect(asked).toEqual([{ policyId: 'claims' }]);
    expect(outcome).toMatchObject({
      kind: 'done',
      units: ['c1', 'c2'],
      artifact: { textSource: 'payload', input: { policy: { policyId: 'claims', version: 7 }, title: null } },
    });
  });

  it('waits for a person where the policy is not there, and says the mend', async () => {
    const failed = {
      state: 'failed' as const,
      reasonCode: 'unknown_policy',
      message: 'There is no policy "claims"; import it',
    };
    await expect(ask(failed)).rejects.toMatchObject({
      reasonCode: 'unknown_policy',
      retryable: false,
      message: expect.stringMatching(/payload\.policy: .*import it/),
    });
    await expect(ask({ ...failed, reasonCode: 'timeout' })).rejects.toMatchObject({ retryable: true });
  });
});
