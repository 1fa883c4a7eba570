import type { Alert, CaseDocument, CaseSummary, EvidenceItem, Interaction } from '@casefile/contracts';
import { InvalidInput } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { startConsoleFake, type ConsoleFake } from './testing/console-fake.js';

const CASE = '01900000-0000-7000-8000-000000000001';
const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'\u2028';

let fake: ConsoleFake;
beforeEach(async () => {
  fake = await startConsoleFake();
});
afterEach(() => fake.close());

const get = (path: string): Promise<Response> => fetch(`${fake.url}/api/v1${path}`);

/** Returns a case with this text in every field from outside or from a model. */
function caseFullOf(text: string): CaseDocument {
  const item: EvidenceItem = {
    id: 'E1',
    toolName: 'exa_search',
    entityType: 'url',
    entityValue: text,
    result: { title: text },
    success: true,
    source: text,
    at: '',
    durationMs: 1,
  };
  const gap: EvidenceItem = { ...item, id: 'E2', success: false, reason: 'timeout', message: text };
  const artifact = (name: 'evidence' | 'report', body: object) => ({
    runId: 'r',
    unit: '',
    round: 1,
    artifact: name,
    createdAt: '',
    body: body as CaseDocument['runs'][number]['artifacts'][number]['body'],
  });
  const usage = { inputTokens: 1, outputTokens: 2, reasoningTokens: 3, cachedTokens: 0 };
  const interaction = {
    id: 'i',
    content: text,
    response: { text },
    reasoningContent: text,
    reasoningSummary: text,
    hasReasoning: true,
    usage,
    costUsd: 0.25,
  } as unknown as Interaction;
  const alert: Alert = {
    id: 'a1',
    playbook: 'scam-verdict',
    receivedAt: '',
    text,
    image: { mediaType: 'image/png', base64: PNG },
  };
  const run: CaseDocument['runs'][number] = {
    id: 'r',
    caseId: CASE,
    alertId: 'a1',
    lane: 'live',
    settings: aRunSettings(),
    status: 'decided',
    stage: null,
    round: 1,
    reasonCode: null,
    message: null,
    verdict: null,
    createdAt: '',
    decidedAt: null,
    units: [],
    toolCalls: [],
    trace: [],
    artifacts: [
      artifact('evidence', { items: [item, gap] }),
      artifact('report', { title: text, markdown: text }),
    ],
    interactions: [interaction],
  };
  return {
    id: CASE,
    playbook: 'scam-verdict',
    status: 'decided',
    alertCount: 1,
    createdAt: '',
    updatedAt: '',
    alerts: [alert],
    runs: [run, { ...run, id: 'r2' }],
  };
}

describe('one case as one document', () => {
  it('S2-30 has evidence, gaps and cost of each run, and of all', async () => {
    fake.cases.set(CASE, caseFullOf('x'));
    const shown = (await (await get(`/cases/${CASE}`)).json()) as Record<string, never>;
    expect(shown).toMatchObject({
      id: CASE,
      caseId: CASE,
      cost: { usd: 0.5, interactions: 2 },
      runs: [
        {
          evidence: [{ id: 'E1' }, { id: 'E2' }],
          gaps: [{ id: 'E2', reason: 'timeout' }],
          cost: { usd: 0.25 },
        },
        { id: 'r2' },
      ],
    });
  });

  it('S4-59 has a proposal only if a run of it proposes to the leading run, whose answer is in force', async () => {
    const decidedAt = '2026-01-05T10:00:00Z';
    const verdict = { playbook: 'scam-verdict', disposition: 'review', decidedAt, outcome: {}, reasons: [] };
    const { runs, ...document } = caseFullOf('x');
    const proposalOf = async (settings: object, isAnswered: boolean) => {
      const other = { ...runs[1]!, settings: { ...aRunSettings(), outward: false, ...settings }, verdict };
      const both = [runs[0]!, other] as CaseDocument['runs'];
      fake.cases.set(CASE, { ...document, runs: both, leadingRunId: 'r', isAnswered });
      return ((await (await get(`/cases/${CASE}`)).json()) as { proposal: unknown }).proposal;
    };
    expect(await proposalOf({ proposesTo: 'r' }, true)).toMatchObject({ runId: 'r2', disposition: 'review' });
    expect(await proposalOf({ proposesTo: 'r' }, false)).toBeNull();
    expect(await proposalOf({ proposesTo: 'r0' }, true)).toBeNull();
    expect(await proposalOf({}, true)).toBeNull();
  });

  it('S2-32 has the title of its newest alert, and of an image the text that was read in it', async () => {
    const titlesOf = async (document: CaseDocument) => {
      fake.cases.set(CASE, document);
      const { title, alerts } = (await (await get(`/cases/${CASE}`)).json()) as {
        title: string;
        alerts: { displayTitle: string }[];
      };
      return [title, ...alerts.map((alert) => alert.displayTitle)];
    };
    const document = caseFullOf('x');
    const { text: _, ...image } = document.alerts[0]!;
    const later = { ...image, id: 'a2', image: undefined, payload: { n: 1, query: 'Is it so?' } };
    expect(await titlesOf({ ...document, alerts: [document.alerts[0]!, later] })).toEqual([
      'Is it so?',
      'x',
      'Is it so?',
    ]);
    const brief = {
      ...document.runs[0]!.artifacts[0]!,
      artifact: 'brief' as const,
      body: { text: 'Pay now' },
    };
    const read = { ...document.runs[0]!, artifacts: [brief] };
    expect(await titlesOf({ ...document, alerts: [image], runs: [read] })).toEqual(['Pay now', 'Pay now']);
    expect(await titlesOf({ ...document, alerts: [image], runs: [] })).toEqual(['', '']);
  });

  it('S2-30 names an image by its address, where it is an image and nothing else', async () => {
    fake.cases.set(CASE, caseFullOf('x'));
    const body = await (await get(`/cases/${CASE}`)).text();
    expect(body).not.toContain(PNG);
    const [{ image }] = (JSON.parse(body) as { alerts: [{ image: { url: string; bytes: number } }] }).alerts;
    const response = await fetch(`${fake.url}${image.url}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('base64')).toBe(PNG);
    expect(image.bytes).toBe(bytes.length);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it.each([
    [`/cases/${CASE}/alerts/other/image`, 404],
    ['/cases/none/alerts/a1/image', 404],
  ])('S2-30 has no image at %s', async (path, status) => {
    fake.cases.set(CASE, caseFullOf('x'));
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('S2-30 gives hostile text back as data, in every field', async () => {
    fake.cases.set(CASE, caseFullOf(HOSTILE));
    const response = await get(`/cases/${CASE}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const shown = (await response.json()) as Record<string, never>;
    expect(shown).toMatchObject({
      alerts: [{ text: HOSTILE }],
      runs: [
        {
          evidence: [{ entityValue: HOSTILE, result: { title: HOSTILE } }, { message: HOSTILE }],
          interactions: [{ content: HOSTILE, reasoningContent: HOSTILE, reasoningSummary: HOSTILE }],
        },
        {},
      ],
    });
  });

  it('gives hostile ids back as data in its problems', async () => {
    const response = await get(`/cases/${encodeURIComponent(HOSTILE)}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });
});

describe('a case in a list', () => {
  it('S2-30 has the facts of its newest run', async () => {
    const verdict = {
      outcome: { action: 'ENGAGE', score: 7, long: 'x'.repeat(101), parts: {} },
      disposition: 'act' as const,
      confidence: 0.9,
      confidenceSource: 'llm' as const,
      method: 'llm' as const,
      reasons: ['r'],
      citations: ['E1'],
      degraded: false,
      degradedBy: [],
      degradedNote: '',
      decidedAt: 't',
    };
    const summary: CaseSummary = {
      id: CASE,
      playbook: 'p',
      status: 'decided',
      alertCount: 2,
      createdAt: 'c',
      updatedAt: 'u',
      text: HOSTILE,
      costUsd: 0.01,
      hasReasoning: true,
      run: { id: 'r', lane: 'batch', status: 'decided', stage: null, round: 2, verdict, decidedAt: 't' },
    };
    fake.summaries = [summary, { ...summary, run: null }];
    const body = (await (await get('/cases')).json()) as { cases: object[] };
    const { reasons: _reasons, citations: _citations, outcome: _outcome, ...brief } = verdict;
    expect(body.cases).toEqual([
      {
        caseId: CASE,
        playbook: 'p',
        status: 'decided',
        alertCount: 2,
        createdAt: 'c',
        updatedAt: 'u',
        text: HOSTILE,
        costUsd: 0.01,
        correction: null,
        hasReasoning: true,
        lane: 'batch',
        runId: 'r',
        runStatus: 'decided',
        stage: null,
        round: 2,
        // The verdict is of a kind that this release does not know, so the disposition is its word.
        verdict: {
          word: 'act',
          confidenceApplies: true,
          action: 'ENGAGE',
          outcome: { action: 'ENGAGE', score: 7 },
          ...brief,
        },
      },
      expect.objectContaining({ caseId: CASE, lane: null, runId: null, stage: null, verdict: null }),
    ]);
    expect(body).not.toHaveProperty('items');
  });
});

describe('an alert by hand', () => {
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${fake.url}/api/v1/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('goes through intake as it is, with its key, and is answered as ingest answers', async () => {
    const alert = { text: 'x', image: { mediaType: 'image/png', base64: PNG }, unknownKey: 1 };
    const response = await post(alert, { 'idempotency-key': 'k' });
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ alertId: 'a', caseId: 'c', runId: 'r', joined: false });
    await post({ text: 'y' });
    expect(fake.accepted).toEqual([
      { body: alert, key: 'k' },
      { body: { text: 'y' }, key: undefined },
    ]);
  });

  it("answers intake's problems, with the fields that are wrong", async () => {
    fake.accept = () => {
      throw new InvalidInput([{ path: 'image.base64', message: 'is no image' }], 'alert');
    };
    const response = await post({ text: 'x' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ path: 'image.base64' }] });
  });

  it('refuses a key that is none, and pages of other sites', async () => {
    const tooLong = await post({ text: 'x' }, { 'idempotency-key': 'k'.repeat(256) });
    expect(await tooLong.json()).toMatchObject({ status: 400, errors: [{ path: 'Idempotency-Key' }] });
    expect((await post({ text: 'x' }, { origin: 'https://evil.example' })).status).toBe(403);
    expect(fake.accepted).toEqual([]);
  });
});

describe('GET /playbooks and /meta', () => {
  it('say what kinds of case there are and what each may consist of', async () => {
    const { playbooks } = (await (await get('/playbooks')).json()) as {
      playbooks: { name: string; takes: string[] }[];
    };
    expect(playbooks).toContainEqual({
      name: 'scam-verdict',
      title: 'Scam verdict',
      answers: [{ field: 'riskLevel', values: ['low', 'medium', 'high'] }],
      version: expect.any(String),
      takes: ['text', 'image'],
      clarifies: false,
      tools: expect.arrayContaining(['scam_db']),
      rule: expect.stringContaining('unclear'),
      display: {
        title: ['text'],
        line: null,
        text: expect.objectContaining({ label: 'Message' }),
        judging: ['alert', 'report', 'claims'],
        sections: [],
        form: [],
        labels: {},
        isOpen: true,
      },
      labels: {},
      view: null,
      // The console of this spec knows no installation yet.
      settings: null,
    });
    expect(playbooks).toContainEqual(expect.objectContaining({ name: 'policy-check', view: 'criteria' }));
    const takes = Object.fromEntries(playbooks.map(({ name, takes }) => [name, takes]));
    expect(takes).toMatchObject({ incident: ['text', 'payload'], 'policy-check': ['payload'] });
  });

  it('say what is running', async () => {
    expect(await (await get('/meta')).json()).toMatchObject({ version: '1.2.3', isSimulator: true });
  });
});
