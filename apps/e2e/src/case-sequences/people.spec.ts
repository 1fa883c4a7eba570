import type { JsonObject } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { pagedWorld, type PagedWorld } from './paged-world.js';

let world: PagedWorld;
// A correction can be undone for one second before it is sent.
beforeAll(async () => void (world = await pagedWorld({ reviews: { sendAfterSeconds: 1 } })));
afterAll(() => world?.close());

const alert = (id: string, severity: string) => ({
  playbook: 'incident',
  payload: { dedup_key: id, title: `Queue ${id} is behind`, severity, status: 'firing', host: 'mq-1' },
});
const answer = (caseId: string, body: object) =>
  world.ask(`/reviews/${caseId}/answer`, { by: 'ann', ...body });
const shownCase = async (caseId: string) => {
  const url = `${world.system.service('console').url}/api/v1/cases/${caseId}`;
  return (await (await fetch(url)).json()) as JsonObject;
};
const lastMessage = (caseId: string) =>
  (world.messages(caseId).at(-1)?.['data'] as { verdict: { disposition: string; decidedBy?: object } })
    .verdict;

it('T-43 S4-59 an answer stays through repeats, which propose, and an escalation is judged and pages', async () => {
  const [opened] = await world.send(alert('a', 'warning'));
  const caseId = opened?.caseId ?? '';
  await world.settled(caseId);
  expect((await answer(caseId, { outcome: { action: 'no-action' } })).status).toBe(200);
  await until('the correction is received', () => lastMessage(caseId).decidedBy !== undefined);
  // A repeat, and one that asks to be judged again.
  await world.send(alert('a', 'warning'));
  const [again] = await world.send(alert('a', 'warning'), '/v1/alerts?again=true');
  expect(again).toMatchObject({ caseId, joined: true });
  const repeated = await world.settled(caseId);
  expect(repeated.runs).toHaveLength(2);
  expect(repeated.verdict).toMatchObject({ disposition: 'dismiss', decidedBy: { person: 'ann' } });
  expect(lastMessage(caseId)).toMatchObject({ disposition: 'dismiss', decidedBy: { person: 'ann' } });
  expect(await shownCase(caseId)).toMatchObject({
    correction: { by: 'ann', word: 'no action' },
    proposal: { word: 'ticket', disposition: 'review' },
    joinedBy: 'dedup_key',
  });
  expect(world.pages(caseId)).toEqual([]);
  await world.send(alert('a', 'critical'));
  const risen = await world.settled(caseId);
  expect(risen.verdict).toMatchObject({ disposition: 'act', outcome: { severity: 'critical' } });
  expect(risen.earlierAnswer).toMatchObject({ by: 'ann', severity: 'warning' });
  expect(world.pages(caseId)).toHaveLength(1);
  // A person answers the page. No machine changes it any more.
  expect((await answer(caseId, { outcome: { action: 'ticket' } })).status).toBe(200);
  await until('the correction is received', () => lastMessage(caseId).disposition === 'review');
  await world.send(alert('a', 'critical'), '/v1/alerts?again=true');
  expect((await world.settled(caseId)).verdict).toMatchObject({ decidedBy: { person: 'ann' } });
  expect([world.pages(caseId).length, lastMessage(caseId).disposition]).toEqual([1, 'review']);
});

it('S4-59 an unchanged verdict is not sent again', async () => {
  const [opened] = await world.send(alert('b', 'critical'));
  const caseId = opened?.caseId ?? '';
  await world.settled(caseId);
  await world.send(alert('b', 'critical'), '/v1/alerts?again=true');
  expect((await world.settled(caseId)).runs).toHaveLength(2);
  expect([world.pages(caseId).length, world.messages(caseId).length]).toEqual([1, 1]);
});

it('T-43 an alert that ends and begins again all the time is reported once as flapping, and judged no more', async () => {
  let caseId = '';
  const flapping = () => world.pages(caseId).filter(({ payload }) => /^Flapping: /.test(payload.summary));
  for (let i = 0; i < 10; i += 1) {
    const [fired] = await world.send(alert('c', 'critical'));
    caseId = fired?.caseId ?? '';
    await world.settled(caseId);
    await world.send({
      ...alert('c', 'critical'),
      payload: { ...alert('c', 'critical').payload, status: 'resolved' },
    });
    await world.settled(caseId);
  }
  await until('the message is received', () => flapping().length > 0);
  const { runs } = await world.settled(caseId);
  expect([runs.length, (await shownCase(caseId))['flaps']]).toEqual([6, 4]);
  expect(flapping()).toMatchObject([
    {
      event_action: 'trigger',
      payload: { custom_details: { text: expect.stringContaining('more often than it is judged') } },
    },
  ]);
  // The end of the alert is reported after the message too.
  const newest = `select kind from outbound_deliveries where case_id = $1 and destination = 'oncall' order by seq desc limit 1`;
  const kindOf = async () =>
    (await world.system.store.database.rows<{ kind: string }>(newest, [caseId]))[0]?.kind;
  await until('the end is reported', async () => (await kindOf()) === 'resolved');
  const { store } = world.system;
  const to = {
    destinations: ['oncall', 'archive'],
    resolving: ['oncall'],
    openUntil: Date.now(),
    silenced: [],
  };
  expect(await store.destinations.addFlapping(to, Date.now())).toBe(0);
});

it('T-41 an answer that contradicts the record is refused with 409, accepted by an override, and shown to receivers', async () => {
  const [opened] = await world.send({ playbook: 'research', text: 'Who won the regatta of Aral in 1911?' });
  const caseId = opened?.caseId ?? '';
  const { verdict } = await world.settled(caseId);
  expect(verdict?.outcome['items']).toEqual(expect.anything());
  const pass = { outcome: { ruling: 'PASS' } };
  expect(await answer(caseId, pass)).toMatchObject({
    status: 409,
    body: { reasonCode: 'contradicts_record', detail: expect.stringContaining('no sentence with a source') },
  });
  expect((await answer(caseId, { ...pass, override: true })).status).toBe(200);
  await until('the correction is received', () => lastMessage(caseId).decidedBy !== undefined);
  expect(lastMessage(caseId).decidedBy).toMatchObject({
    person: 'ann',
    contradicts: expect.stringContaining('no sentence with a source'),
  });
});
