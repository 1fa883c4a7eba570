import { z } from '@casefile/contracts';
import type { ConsolePorts } from './console-ports.js';
import type { Exchange } from './http/route.js';
import { giveFeedback } from './handlers/give-feedback.js';

const CASE = '01900000-0000-7000-8000-000000000001';

it('S4-59 names the fields that exist when feedback names another one', async () => {
  const verdict = { outcome: { status: 'MET' } };
  const found = { id: CASE, playbook: 'parcel', leadingRunId: 'r', runs: [{ id: 'r', verdict }] };
  const judged = z.object({ status: z.enum(['MET', 'NOT_MET']), size: z.number() });
  const ports = {
    store: { record: { getCase: async () => found } },
    playbooks: [{ name: 'parcel', judged }],
  } as unknown as ConsolePorts;
  const body = { outcome: { police: 'MET', status: 'MAYBE' }, by: 'ann' };
  const given = giveFeedback(ports, { params: { caseId: CASE }, query: undefined, body }, {} as Exchange);
  await expect(given).rejects.toMatchObject({
    problems: expect.arrayContaining([
      { path: 'outcome.police', message: 'is not known: expected status, size' },
      expect.objectContaining({ path: 'outcome.status' }),
    ]),
  });
});
