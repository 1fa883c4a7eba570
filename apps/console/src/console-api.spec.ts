import type { CaseDocument, Interaction } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

const CASE = '01900000-0000-7000-8000-000000000001';

let fake: ConsoleFake;
beforeEach(async () => {
  fake = await startConsoleFake();
});
afterEach(() => fake.close());

async function get(
  path: string,
): Promise<{ status: number; type: string | null; body: Record<string, unknown> }> {
  const response = await fetch(`${fake.url}/api/v1${path}`);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

function interaction(over: Partial<Interaction>): Interaction {
  const usage = { inputTokens: 100, outputTokens: 20, reasoningTokens: 5, cachedTokens: 0 };
  return {
    id: 'i',
    hasReasoning: true,
    reasoningContent: 'because',
    costUsd: 0.1,
    usage,
    ...over,
  } as Interaction;
}

function aCase(): CaseDocument {
  const item = {
    toolName: 'scam_db',
    entityType: 'phone',
    entityValue: '+1',
    result: {},
    success: true,
    source: 's',
    at: '',
    durationMs: 1,
  };
  const evidence = (round: number, ids: string[]) => ({
    runId: 'r',
    unit: '',
    round,
    artifact: 'evidence' as const,
    createdAt: '2026-01-05T10:00:00.000Z',
    body: { items: ids.map((id) => ({ id, ...item })) },
  });
  return {
    id: CASE,
    playbook: 'scam-verdict',
    status: 'decided',
    alertCount: 1,
    createdAt: '',
    updatedAt: '',
    alerts: [],
    runs: [
      {
        id: 'r',
        caseId: CASE,
        alertId: 'a',
        lane: 'live',
        settings: aRunSettings(),
        status: 'decided',
        stage: null,
        round: 2,
        reasonCode: null,
        message: null,
        verdict: null,
        createdAt: '',
        decidedAt: null,
        units: [],
        toolCalls: [],
        trace: [],
        artifacts: [evidence(2, ['E1', 'E2']), evidence(1, ['E1'])],
        interactions: [
          interaction({ id: 'i1' }),
          interaction({ id: 'i2', costUsd: 0.2 }),
          interaction({ id: 'i3', costUsd: null }),
        ],
      },
    ],
  };
}

describe('GET /cases', () => {
  it.each(['/cases', '/history/sessions'])('S2-30 %s hands every filter to the record', async (path) => {
    const query =
      'status=decided&playbook=scam-verdict&action=ENGAGE&lane=live&disposition=act&method=llm&degraded=false&q=parcel&from=2026-01-01&to=2026-02-01T00:00:00Z&cursor=abc&limit=7';
    const { status, body } = await get(`${path}?${query}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { cases: [], nextCursor: null, searchableTo: null },
    });
    expect(fake.queries).toEqual([
      {
        status: 'decided',
        playbook: 'scam-verdict',
        action: 'ENGAGE',
        lane: 'live',
        q: 'parcel',
        disposition: 'act',
        method: 'llm',
        degraded: false,
        from: '2026-01-01',
        to: '2026-02-01T00:00:00Z',
        cursor: 'abc',
        limit: 7,
      },
    ]);
  });

  it('takes an empty filter for none', async () => {
    await get(
      '/cases?status=&playbook=&action=&lane=&disposition=&method=&degraded=&q=&from=&to=&cursor=&limit=',
    );
    expect(fake.queries).toEqual([{ limit: 50 }]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=many', 'limit'],
    ['lane=fast', 'lane'],
    ['status=maybe', 'status'],
    ['from=yesterday', 'from'],
    ['from=0000-01-01', 'from'],
    ['stage=reason', 'stage'],
    ['disposition=maybe', 'disposition'],
    ['method=guess', 'method'],
    ['degraded=1', 'degraded'],
    ['q=a&q=b', 'q'],
  ])('names the field that is wrong in %s', async (query, field) => {
    const { status, type, body } = await get(`/cases?${query}`);
    expect(status).toBe(400);
    expect(type).toContain('application/problem+json');
    expect(body).toMatchObject({ status: 400, reasonCode: 'invalid_input', errors: [{ path: field }] });
  });

  it('names every field that is wrong at once', async () => {
    const { body } = await get('/cases?limit=0&lane=fast&foo=1');
    expect((body['errors'] as { path: string }[]).map((error) => error.path).sort()).toEqual([
      'foo',
      'lane',
      'limit',
    ]);
  });
});

describe('GET /cases/:caseId', () => {
  it.each(['/cases', '/history/sessions'])(
    '%s answers the document, with evidence and cost of each run',
    async (path) => {
      fake.cases.set(CASE, aCase());
      const { status, body } = await get(`${path}/${CASE}`);
      const [run] = body['runs'] as Record<string, unknown>[];
      expect(status).toBe(200);
      expect((run?.['evidence'] as { id: string }[]).map((item) => item.id)).toEqual(['E1', 'E2']);
      expect(run?.['cost']).toEqual({
        usd: 0.3,
        inputTokens: 300,
        outputTokens: 60,
        reasoningTokens: 15,
        cachedTokens: 0,
        interactions: 3,
        unpriced: 1,
      });
      expect((run?.['interactions'] as object[])[0]).toMatchObject({
        hasReasoning: true,
        reasoningContent: 'because',
      });
    },
  );

  it.each([CASE, 'no-such-case'])('answers 404 as a problem for %s', async (caseId) => {
    const { status, type, body } = await get(`/cases/${caseId}`);
    expect({ status, reasonCode: body['reasonCode'] }).toEqual({ status: 404, reasonCode: 'unknown_case' });
    expect(type).toContain('application/problem+json');
  });
});

describe('GET /queues', () => {
  it('answers the depths', async () => {
    expect((await get('/queues')).body).toMatchObject({ items: [{ queue: 'triage', waiting: 3 }] });
  });
});

describe('POST /providers/{provider}/try', () => {
  const attempt = async (provider: string) => {
    const answer = await fetch(`${fake.url}/api/v1/providers/${provider}/try`, { method: 'POST' });
    return { status: answer.status, body: (await answer.json()) as object };
  };

  it('lets the next call through, and knows no provider that never failed', async () => {
    expect(await attempt('openai')).toEqual({ status: 200, body: { provider: 'openai', state: 'open' } });
    expect(await attempt('nobody')).toMatchObject({ status: 404, body: { reasonCode: 'not_found' } });
  });
});

describe('headers', () => {
  it('keep browsers from running, guessing and framing', async () => {
    const { headers } = await fetch(`${fake.url}/api/v1/queues`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
