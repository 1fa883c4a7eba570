import { InvalidInput, type DeadLetter } from '@casefile/contracts';
import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

let fake: ConsoleFake;
beforeEach(async () => {
  fake = await startConsoleFake();
});
afterEach(() => fake.close());

async function get(path: string): Promise<unknown> {
  return (await fetch(`${fake.url}/api/v1${path}`)).json();
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${fake.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

describe('dead letters', () => {
  const letter = (over: Partial<DeadLetter>): DeadLetter => ({
    id: 'd1',
    kind: 'alert',
    reasonCode: 'invalid_input',
    message: 'm',
    caseId: null,
    runId: null,
    payload: { text: 'x' },
    at: '',
    ...over,
  });
  const results = async (response: Response) =>
    ((await response.json()) as { results: { id: string; problem?: { status: number } }[] }).results;

  it('R15 are listed by reason, a page at a time', async () => {
    fake.deadLetters = [letter({}), letter({ id: 'd2' }), letter({ id: 'd3', reasonCode: 'poison' })];
    const first = await get('/dead-letters?limit=1&reason=invalid_input&q=');
    expect(first).toMatchObject({ deadLetters: [{ id: 'd1' }], nextCursor: '1' });
    // Counts cover all dead letters, not only the page or the reason in the filter.
    const reasons = [
      { reasonCode: 'invalid_input', count: 2 },
      { reasonCode: 'poison', count: 1 },
    ];
    expect(first).toMatchObject({ reasons });
    const next = await get(`/dead-letters?limit=1&reason=invalid_input&cursor=1`);
    expect(next).toMatchObject({ deadLetters: [{ id: 'd2' }], nextCursor: null });
  });

  it('R15 have long payloads at their own address', async () => {
    const payload = { text: 'x'.repeat(30_000) };
    fake.deadLetters = [letter({ payload })];
    const { deadLetters } = (await get('/dead-letters')) as { deadLetters: { payload: { head: string } }[] };
    expect(deadLetters[0]?.payload).toMatchObject({ cut: true, characters: 30_011 });
    expect(deadLetters[0]?.payload.head).toHaveLength(20_000);
    expect(await get('/dead-letters/d1')).toMatchObject({ id: 'd1', payload });
    expect(await get('/dead-letters/nobody')).toMatchObject({ status: 404, reasonCode: 'not_found' });
    await post('/dead-letters/redrive', { ids: ['d1'] });
    expect(fake.accepted).toMatchObject([{ body: payload }]);
  });

  it('R15 are redriven by a filter, beyond one page', async () => {
    const many = Array.from({ length: 1_100 }, (_, i) => letter({ id: `d${i}` }));
    fake.deadLetters = [...many, letter({ id: 'other', reasonCode: 'poison' })];
    const response = await post('/dead-letters/redrive', { filter: { reason: 'invalid_input' } });
    expect(await results(response)).toHaveLength(1_100);
    expect(new Set(fake.accepted.map(({ key }) => key)).size).toBe(1_100);
    expect(fake.deadLetters.map((it) => it.id)).toEqual(['other']);
  });

  it('R15 are given up, and a second time there is nothing to give up', async () => {
    fake.deadLetters = [letter({}), letter({ id: 'd2', kind: 'run', runId: 'd2', caseId: 'c2' })];
    const answered = await results(await post('/dead-letters/drop', { ids: ['d1', 'd2', 'd2', 'nobody'] }));
    expect(answered).toMatchObject([
      { id: 'd1', kind: 'alert' },
      { id: 'd2', kind: 'run', caseId: 'c2' },
      { id: 'nobody', problem: { status: 404, reasonCode: 'not_found' } },
    ]);
    const again = await results(await post('/dead-letters/drop', { ids: ['d1'] }));
    expect(again).toMatchObject([{ id: 'd1', problem: { status: 404 } }]);
  });

  it('R15 are redriven: runs by their nudges in one go, alerts through intake, once', async () => {
    fake.deadLetters = [
      letter({}),
      letter({ id: 'r2', kind: 'run', runId: 'r2', caseId: 'c2', payload: null }),
      letter({ id: 'r3', kind: 'run', runId: 'r3', caseId: 'c3', payload: null }),
    ];
    const response = await post('/dead-letters/redrive', { all: true });
    expect(response.status).toBe(200);
    expect((await results(response)).map((result) => result.id).sort()).toEqual(['d1', 'r2', 'r3']);
    expect(fake.redriven).toEqual([['r2', 'r3']]);
    expect(fake.nudged.flat().map((nudge) => nudge.kind === 'stage' && nudge.runId)).toEqual(['r2', 'r3']);
    expect(fake.accepted).toEqual([{ body: { text: 'x' }, key: 'dead-letter:d1' }]);
    expect(fake.settled).toEqual([{ id: 'd1', caseId: 'c' }]);
    expect(fake.deadLetters).toEqual([]);
  });

  it('stay where they are when they are still refused, and say why', async () => {
    fake.deadLetters = [letter({})];
    fake.accept = () => {
      throw new InvalidInput([{ path: 'text', message: 'is missing' }], 'alert');
    };
    const answered = await results(await post('/dead-letters/redrive', { ids: ['d1', 'nobody'] }));
    expect(answered).toMatchObject([
      { id: 'd1', problem: { status: 400, errors: [{ path: 'text' }] } },
      { id: 'nobody', problem: { status: 404 } },
    ]);
    expect(fake.deadLetters).toHaveLength(1);
  });

  it('U28 have a sentence as their title', async () => {
    fake.deadLetters = [letter({}), letter({ id: 'r', kind: 'run', reasonCode: 'poison' })];
    expect(await get('/dead-letters?kind=alert&source=x&from=2026-01-01&to=2026-01-02')).toMatchObject({
      deadLetters: [
        { title: 'The alert was not accepted: the input is not valid.' },
        { title: 'The run stopped and needs a person: poison.' },
      ],
    });
    expect(await get('/dead-letters?kind=nothing')).toMatchObject({ errors: [{ path: 'kind' }] });
  });

  it('U28 are edited and accepted; the original is kept with who edited it', async () => {
    fake.deadLetters = [letter({ provenBy: 'grafana' }), letter({ id: 'd2' })];
    const alert = { text: 'mended', playbook: 'scam-verdict' };
    const response = await post('/dead-letters/d1/redrive', { alert, by: 'ann' });
    expect([response.status, await response.json()]).toEqual([200, { id: 'd1', kind: 'alert', caseId: 'c' }]);
    expect(fake.accepted).toEqual([{ body: alert, key: 'dead-letter:d1' }]);
    expect(fake.settled).toEqual([{ id: 'd1', caseId: 'c', edit: { original: { text: 'x' }, by: 'ann' } }]);
    expect((await post('/dead-letters/d1/redrive', { alert })).status).toBe(404);
    await post('/dead-letters/d2/redrive', {});
    expect(fake.settled.at(-1)).toEqual({ id: 'd2', caseId: 'c' });
  });

  it('U28 stay where they are when the edited alert is refused, and each wrong field is named', async () => {
    fake.deadLetters = [letter({}), letter({ id: 'r', kind: 'run', runId: 'r', payload: null })];
    fake.accept = () => {
      throw new InvalidInput([{ path: 'playbook', message: 'is not known' }], 'alert');
    };
    const refused = await post('/dead-letters/d1/redrive', { alert: { playbook: 'none' } });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [{ path: 'playbook', message: 'is not known' }] }),
    ]);
    expect((await post('/dead-letters/d1/redrive', { alert: 'text' })).status).toBe(400);
    expect((await post('/dead-letters/r/redrive', { alert: {} })).status).toBe(409);
    expect(fake.deadLetters).toHaveLength(2);
    expect(await (await post('/dead-letters/r/redrive', {})).json()).toMatchObject({ id: 'r', kind: 'run' });
    expect(fake.redriven).toEqual([['r']]);
  });

  it.each([
    [{}],
    [{ ids: [], all: true }],
    [{ ids: ['a'], all: true }],
    [{ ids: 'a' }],
    [{ filter: {}, all: true }],
  ])('refuses %j and names ids', async (body) => {
    const response = await post('/dead-letters/redrive', body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { errors: { path: string }[] }).errors[0]?.path).toBe('ids');
    expect(fake.redriven).toEqual([]);
  });

  it('are not redriven by a page of another site', async () => {
    fake.deadLetters = [letter({ id: 'r', kind: 'run', runId: 'r' })];
    const response = await post('/dead-letters/redrive', { all: true }, { origin: 'https://evil.example' });
    expect(response.status).toBe(403);
    expect(fake.redriven).toEqual([]);
    expect((await post('/dead-letters/redrive', { all: true }, { origin: fake.url })).status).toBe(200);
  });
});
