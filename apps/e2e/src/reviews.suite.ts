import { until } from '@casefile/contracts/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import type {
  BulkReviewed,
  CaseList,
  ReviewList,
  ShownCase,
  ShownReview,
  VerdictMessage,
} from '@casefile/contracts';
import { fetchServed } from './testing/fetch-served.js';
import type { StartSystem, SystemUnderTest } from './testing/launched-services.js';

/** Longer than the tests take: each makes the corrections due that it waits for. */
const SEND_AFTER_SECONDS = 3_600;

/** A receiver that keeps the verdicts that it gets. */
async function receiver(): Promise<{ server: Server; url: string; received: VerdictMessage[] }> {
  const received: VerdictMessage[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push((JSON.parse(Buffer.concat(parts).toString()) as { data: VerdictMessage }).data);
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/**
 * Tests the review desk over HTTP and by commands.
 * @param texts Number of texts that the rules do not read as a scam, so that their verdicts wait for a person.
 */
export function answersReviews(start: StartSystem, texts: number): void {
  let receiving: Awaited<ReturnType<typeof receiver>>;
  let world: SystemUnderTest;
  let ids: string[];
  const api = () => `${world.service('console').url}/api/v1`;
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetchServed(`${api()}${path}`)).json()) as T;
  const post = async (path: string, body: object) => {
    const response = await fetch(`${api()}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'ann', ...body }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const casefile = async (...args: string[]) => {
    const terminal = memoryTerminal();
    const code = await run(['reviews', ...args, '--console', world.service('console').url], terminal);
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  };
  const waiting = async () => (await get<ReviewList>('/reviews?limit=200')).reviews;
  /** Makes the waiting corrections of these cases due, as if their time for an undo were over. */
  const makeDue = (...cases: string[]) =>
    world.store.database.rows(
      'update corrected_verdicts set due_at = now() where case_id = any($1::uuid[]) and cancelled_at is null',
      [cases],
    );
  const corrections = (caseId: string) =>
    receiving.received.filter((one) => one.caseId === caseId && one.verdict.decidedBy !== undefined);

  beforeAll(async () => {
    receiving = await receiver();
    world = await start({
      settings: {
        reviews: { sendAfterSeconds: SEND_AFTER_SECONDS },
        destinations: {
          archive: { type: 'webhook', url: receiving.url, secret: '${ARCHIVE_KEY}', allowPrivate: true },
        },
      },
      env: () => ({ LLM_PROVIDER: 'none', ARCHIVE_KEY: `whsec_${Buffer.alloc(32, 9).toString('base64')}` }),
    });
    ids = [];
    for (let i = 0; i < texts; i += 1)
      ids.push(
        await world.alert({
          playbook: 'scam-verdict',
          text: `Können wir unser Treffen Nummer ${i} am Freitag auf vier Uhr verschieben?`,
          collect: false,
        }),
      );
    await until('every verdict waits for a person and has left', async () => {
      const sent = new Set(receiving.received.map(({ caseId }) => caseId));
      return (await waiting()).length === texts && sent.size === texts;
    });
  });
  afterAll(async () => {
    await world.close();
    receiving.server.close();
  });

  it('S4-59 lists what waits, refuses an agreement, and shows who has a case open', async () => {
    const all = await waiting();
    expect(all[0]).toMatchObject({ state: 'open', asks: true, playbook: 'scam-verdict' });
    expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(all.map(({ since }) => since)).toEqual(all.map(({ since }) => since).sort());
    const refused = await post(`/reviews/${ids[0]}/answer`, { agree: true });
    expect(refused).toMatchObject({ status: 409, body: { reasonCode: 'needs_an_answer' } });
    expect((await post(`/reviews/${ids[0]}/answer`, { outcome: { police: 1 } })).body).toMatchObject({
      errors: [{ path: 'outcome.police', message: 'is not known: expected riskLevel' }],
    });
    await post(`/reviews/${ids[0]}/open`, { by: 'ben' });
    expect((await post(`/reviews/${ids[0]}/open`, {})).body).toMatchObject({ viewers: ['ann', 'ben'] });
    const { text } = await casefile('list', '--reason', 'rules', '--limit', '3');
    expect(text.split('\n')).toHaveLength(5);
    expect(text).toMatch(/^casefile: there are more\. For the next page: --cursor \S+$/m);
    expect(text).toContain(`Waiting: ${texts} scam-verdict`);
  });

  it('S4-59 sends nothing for a correction that is undone in time, and a later one once, with its person', async () => {
    const [a, b] = ids as [string, string];
    await post(`/reviews/${a}/answer`, { outcome: { riskLevel: 'high' } });
    await post(`/reviews/${a}/undo`, {});
    const body = { outcome: { riskLevel: 'high' }, note: 'I called them', part: 'evidence', actId: 'one' };
    for (const _twice of [1, 2]) await post(`/reviews/${b}/answer`, body);
    await makeDue(a, b);
    await until('the correction is received', () => corrections(b).length > 0);
    const [sent] = corrections(b);
    const decided = receiving.received.find((one) => one.caseId === b)!;
    expect(sent).toMatchObject({
      runId: decided.runId,
      replaces: decided.runId,
      verdict: {
        outcome: { riskLevel: 'high' },
        disposition: 'act',
        decidedBy: { person: 'ann', reason: 'I called them' },
      },
    });
    expect(sent!.deliveryId).not.toBe(decided.deliveryId);
    const shown = await get<ShownCase>(`/cases/${b}`);
    expect(shown.verdict).toMatchObject({ disposition: 'act', decidedBy: { person: 'ann' } });
    expect(shown.runs[0]!.verdict).toMatchObject({ disposition: 'review' });
    const correction = { by: 'ann', word: 'scam', disposition: 'act' };
    expect(shown).toMatchObject({ correction });
    const { cases } = await get<CaseList>('/cases');
    expect(cases.find(({ caseId }) => caseId === b)).toMatchObject({ correction });
    expect(cases.find(({ caseId }) => caseId === a)).toMatchObject({ correction: null });
    expect((await get<ShownReview>(`/reviews/${b}`)).history).toMatchObject([
      { actId: 'one', part: 'evidence' },
    ]);
    await post(`/reviews/${b}/undo`, {});
    await makeDue(b);
    await until('the undo is received', () => corrections(b).length > 1);
    expect(corrections(b)[1]).toMatchObject({ replaces: decided.runId, verdict: { disposition: 'review' } });
    expect([corrections(a), (await waiting()).map(({ id }) => id).includes(a)]).toEqual([[], true]);
  });

  it('S4-59 feedback is the same act, and a second opinion is shown', async () => {
    const id = ids[2]!;
    await post(`/cases/${id}/feedback`, { outcome: { riskLevel: 'low' } });
    const answered = await casefile(
      'answer',
      id,
      '--outcome',
      'riskLevel=high',
      '--by',
      'ben',
      '--note',
      'seen',
    );
    expect(answered.text).toContain('2 people disagree; the newest answer counts');
    expect(await get<ShownReview>(`/reviews/${id}`)).toMatchObject({ state: 'disputed', word: 'scam' });
    const exported = await casefile('export');
    expect(
      exported.text.split('\n').map((line) => (JSON.parse(line) as { caseId: string }).caseId),
    ).toContain(id);
    await makeDue(id);
    await until('the newest answer is received', () => corrections(id).length > 0);
    expect(corrections(id)).toMatchObject([
      { verdict: { disposition: 'act', decidedBy: { person: 'ben' } } },
    ]);
  });

  it('S4-59 a bulk answer that is repeated, also after a crash, answers each case exactly once, and all of them leave', async () => {
    const rest = ids.slice(3);
    const body = { ids: rest, outcome: { riskLevel: 'low' }, note: 'test texts', actId: 'many' };
    const preview = (await post('/reviews/bulk', { ...body, dryRun: true })).body as BulkReviewed;
    expect([preview.done, preview.results[0]]).toEqual([
      rest.length,
      { id: rest[0], playbook: 'scam-verdict', word: 'unclear', becomes: 'harmless', problem: null },
    ]);
    const acts = async () =>
      (await world.store.reviews.list({ state: 'answered', sort: 'oldest', limit: 200, now: Date.now() }))
        .reviews.length;
    const before = await acts();
    const first = post('/reviews/bulk', body).catch(() => null);
    if (world.crash !== null) {
      await until('some are answered', async () => (await acts()) > before + 2);
      await makeDue(...rest);
      await world.crash();
    }
    await first;
    const repeated = (await post('/reviews/bulk', body)).body as BulkReviewed;
    expect([repeated.done, repeated.refused]).toEqual([rest.length, 0]);
    await makeDue(...rest);
    for (const id of rest) {
      const { history, state } = await get<ShownReview>(`/reviews/${id}`);
      expect([history.length, history[0]?.by, history[0]?.bulk, state]).toEqual([1, 'ann', true, 'answered']);
    }
    await until('every correction is received', () => rest.every((id) => corrections(id).length > 0));
    const deliveries = rest.map((id) => new Set(corrections(id).map(({ deliveryId }) => deliveryId)).size);
    expect(deliveries).toEqual(rest.map(() => 1));
    expect((await waiting()).map(({ id }) => id).sort()).toEqual([ids[0], ids[1]].sort());
    const some = rest.slice(0, 3);
    const refused = await casefile('undo', ...some, '--undoes', 'many', '--by', 'ben');
    expect(refused.text).toContain('0 changed, 3 refused');
    const undone = await casefile('undo', ...some, '--undoes', 'many', '--by', 'ann');
    expect(undone.text).toContain(`${some[0]}  harmless -> unclear`);
    expect((await waiting()).map(({ id }) => id).sort()).toEqual([ids[0], ids[1], ...some].sort());
  });
}
