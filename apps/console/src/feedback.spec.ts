import { z, type Feedback, type GiveFeedback } from '@casefile/contracts';
import { problemOf } from '@casefile/runtime';
import type { ConsolePorts } from './console-ports.js';
import type { Exchange } from './http/route.js';
import { feedbackRoutes } from './routes/feedback.js';

const CASE = '01900000-0000-7000-8000-000000000001';
const judged = z.object({ status: z.enum(['MET', 'NOT_MET']), paid: z.boolean() });

interface Fake {
  disposition?: 'act' | 'review';
  kind?: object;
}

function give(
  body: GiveFeedback,
  { disposition = 'act', kind = { presenting: { judged } } }: Fake = {},
): Promise<Feedback> {
  const verdict = { outcome: { status: 'MET' }, disposition, reasons: [] };
  const caseDocument = { id: CASE, playbook: 'parcel', leadingRunId: 'r', runs: [{ id: 'r', verdict }] };
  const ports = {
    store: {
      record: { getCase: async () => caseDocument },
      reviews: { act: async () => ({ repeated: false }) },
    },
    playbooks: [{ name: 'parcel', ...kind }],
    now: () => 0,
    newId: () => 'new',
  } as unknown as ConsolePorts;
  const { handler } = feedbackRoutes.find(({ operationId }) => operationId === 'giveFeedback')!;
  const input = { params: { caseId: CASE }, query: undefined, body };
  return handler(ports, input as never, {} as Exchange) as Promise<Feedback>;
}

it('S4-59 names the fields that exist when feedback names another one', async () => {
  await expect(give({ outcome: { police: 'MET', status: 'MAYBE' }, by: 'ann' })).rejects.toMatchObject({
    problems: expect.arrayContaining([
      { path: 'outcome.police', message: 'is not known: expected status, paid' },
      expect.objectContaining({ path: 'outcome.status' }),
    ]),
  });
});

it('U5 refuses to agree with a verdict that asks for an answer, and says what to give', async () => {
  const refused = await give({ agree: true, by: 'ann' }, { disposition: 'review' }).catch(
    (it: unknown) => it,
  );
  expect(refused).toMatchObject({
    reasonCode: 'needs_an_answer',
    message: expect.stringContaining('status (MET, NOT_MET), paid (true or false)'),
  });
  expect(problemOf(refused).problem).toMatchObject({ status: 409, reasonCode: 'needs_an_answer' });
});

it.each<[string, GiveFeedback, Fake, boolean]>([
  ['agrees with a verdict that asks nothing', { agree: true, by: 'a' }, {}, true],
  ['agrees by the same outcome', { outcome: { status: 'MET' }, by: 'a' }, {}, true],
  ['says otherwise', { outcome: { status: 'NOT_MET' }, by: 'a' }, {}, false],
  ['answers by the same outcome', { outcome: { status: 'MET' }, by: 'a' }, { disposition: 'review' }, false],
  // A kind without deciding fields has nothing else to send.
  [
    'agrees where nothing else can be sent',
    { agree: true, by: 'a' },
    { disposition: 'review', kind: { presenting: {} } },
    true,
  ],
])('U5 %s', async (_, body, fake, agrees) => {
  expect(await give(body, fake)).toMatchObject({ agrees, by: 'a', runId: 'r' });
});
