import { until } from '@casefile/contracts/testing';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import type { PatternProposalList, ShownCase } from '@casefile/contracts';
import { fetchServed } from './testing/fetch-served.js';
import { launchedServices, type LaunchedServices } from './testing/launched-services.js';

const TEXT =
  'Dear parent, the museum club needs the trip fee for Friday. Please send it to the treasurer at +14155550198 today.';

describe('what answers of people feed', () => {
  let world: LaunchedServices;
  const api = () => `${world.service('console').url}/api/v1`;
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetchServed(`${api()}${path}`)).json()) as T;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${api()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const casefile = async (...args: string[]) => {
    const terminal = memoryTerminal();
    const code = await run(['patterns', ...args, '--console', world.service('console').url], terminal);
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  };
  const proposals = async (state = 'proposed') =>
    (await get<PatternProposalList>(`/pattern-proposals?state=${state}`)).proposals;
  const decidedCase = async (playbook: string, text: string): Promise<ShownCase> => {
    const caseId = await world.alert({ playbook, text });
    const readCase = () => get<ShownCase>(`/cases/${caseId}`);
    await until('the case has a verdict', async () => (await readCase()).runs[0]?.status === 'decided');
    return readCase();
  };
  const resultsOf = (shown: ShownCase, tool: string) =>
    shown.runs[0]!.evidence.filter(({ toolName }) => toolName === tool).map(({ result }) => result);

  beforeAll(async () => {
    world = await launchedServices({
      env: () => ({ LLM_PROVIDER: 'none' }),
    });
  });
  afterAll(() => world.close());

  it('S1-11 S3-12 a scam that a person confirms is found by scam_db, and its pattern once it is approved', async () => {
    const first = await decidedCase('scam-verdict', TEXT);
    expect(resultsOf(first, 'scam_db')).toMatchObject([{ found: false }]);
    const answer = { outcome: { riskLevel: 'high' }, by: 'ann', note: 'called the club' };
    expect((await post(`/reviews/${first.id}/answer`, answer)).status).toBe(200);
    await until('the pattern is proposed', async () => (await proposals()).length > 0);
    expect(await proposals()).toMatchObject([
      { id: first.id, by: 'ann', event: null, ownProposal: false, pattern: { id: `case-${first.id}` } },
    ]);
    const other = 'The treasurer asks again for the fee, call +14155550198.';
    expect(resultsOf(await decidedCase('scam-verdict', other), 'scam_db')).toMatchObject([
      { found: true, reportCount: 1, riskScore: 90 },
    ]);
    const before = await decidedCase('message-screening', TEXT);
    expect(JSON.stringify(before.runs[0]!.evidence)).not.toContain(`case-${first.id}`);
    expect((await casefile('list')).text).toContain(`${first.id}  proposed  answered by ann`);
    expect((await casefile('approve', first.id, '--by', 'ben')).text).toContain('approved');
    expect(await proposals('approved')).toMatchObject([{ id: first.id, decidedBy: 'ben' }]);
    const after = await decidedCase('message-screening', `${TEXT} Thank you!`);
    expect(JSON.stringify(after.runs[0]!.evidence)).toContain(`case-${first.id}`);
    // An answer that is taken back takes its reports along. A pattern that a person approved stays.
    expect((await post(`/reviews/${first.id}/undo`, { by: 'ann' })).status).toBe(200);
    await until('the report is gone', async () => {
      const rows = await world.store.database.rows('select from scam_reports where source = $1', [
        `case ${first.id}`,
      ]);
      return rows.length === 0;
    });
    expect(await proposals('approved')).toHaveLength(1);
  });

  it('S3-12 marks what only agrees with the verdict that Casefile proposed, and a rejected pattern stays unknown', async () => {
    const scam = await decidedCase(
      'scam-verdict',
      'URGENT: your bank account is blocked. Verify now with your PIN and OTP at http://secure-bank-verify.example/login or it will be closed today. Call +14155550111.',
    );
    const agreed = await post(`/reviews/${scam.id}/answer`, { agree: true, by: 'ann' });
    const answered =
      agreed.status === 200
        ? agreed
        : await post(`/reviews/${scam.id}/answer`, { outcome: { riskLevel: 'high' }, by: 'ann' });
    expect(answered.status).toBe(200);
    await until('the pattern is proposed', async () => (await proposals()).some(({ id }) => id === scam.id));
    const proposed = (await proposals()).find(({ id }) => id === scam.id);
    expect(proposed).toMatchObject({ ownProposal: agreed.status === 200 });
    for (const _twice of [1, 2])
      expect(
        await post(`/pattern-proposals/${scam.id}/state`, { state: 'rejected', by: 'ben' }),
      ).toMatchObject({
        status: 200,
        body: { state: 'rejected', decidedBy: 'ben' },
      });
    expect((await proposals()).map(({ id }) => id)).not.toContain(scam.id);
    const unknown = await post('/pattern-proposals/nothing/state', { state: 'approved', by: 'ben' });
    expect([unknown.status, unknown.body['reasonCode']]).toEqual([404, 'not_found']);
  });
});
