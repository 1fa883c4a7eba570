import type { CaseDocument, CriterionResult, Verdict } from '@casefile/contracts';
import { testDatabase } from '@casefile/store/testing';
import { startDemonstration, type Demonstration, type PrintedLine } from '../testing/demonstration.js';

const SAMPLES = 27;
const OWN = 'You have won a car. Call 0909 879 0124 before midnight and pay the fee.';

let database: Awaited<ReturnType<typeof testDatabase>>;
let up: Demonstration;
let printed: PrintedLine[];
let cases: CaseDocument[];

const get = async (url: string) => (await fetch(url)).json() as Promise<never>;
const runOf = ({ runs }: CaseDocument) => runs[0]!;
const verdictOf = (one: CaseDocument): Verdict => runOf(one).verdict!;
const about = (words: string) =>
  cases.find(({ alerts: [alert] }) => (alert?.text ?? JSON.stringify(alert?.payload)).includes(words))!;
const criterion = (one: CaseDocument, id: string) =>
  (verdictOf(one).outcome['criteria'] as unknown as CriterionResult[]).find((each) => each.id === id)!;

beforeAll(async () => {
  database = await testDatabase();
  up = startDemonstration(database.url);
  const ready = (await up.until(({ type }) => type === 'ready')) as PrintedLine & {
    console: string;
    ingest: string;
  };
  // On a busy machine the summary is printed before every sample is decided.
  await up.until(() => up.lines.filter(({ type }) => type === 'verdict').length >= SAMPLES);
  const accepted = (await (
    await fetch(`${ready.ingest}/v1/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ playbook: 'scam-verdict', text: OWN }),
    })
  ).json()) as { caseId: string };
  await up.until(({ type, caseId }) => type === 'verdict' && caseId === accepted.caseId);
  const { items } = (await get(`${ready.console}/api/v1/cases?limit=100`)) as { items: { id: string }[] };
  cases = await Promise.all(items.map(({ id }) => get(`${ready.console}/api/v1/cases/${id}`)));
  expect(await get(`${ready.console}/api/v1/meta`)).toMatchObject({ provider: 'none', demonstration: true });
  printed = [...up.lines];
  up.child.kill('SIGTERM');
  await up.ended;
}, 400_000);
afterAll(async () => {
  up.child.kill('SIGKILL');
  await database.drop();
});

describe('casefile up --demo', () => {
  it('marks each sample in its line, in the verdict and on the record as played from a hand-written answer', () => {
    // A question without a source needs no model.
    const others = [about('won a car'), about('dcard-board')];
    const samples = cases.filter((one) => !others.includes(one));
    expect(samples).toHaveLength(26);
    for (const sample of samples) {
      const { settings, interactions } = runOf(sample);
      expect(settings).toMatchObject({ provider: 'demonstration', model: 'hand-written-answers' });
      expect([sample.id, sample.alerts[0], verdictOf(sample)]).toMatchObject([
        {},
        {},
        { method: 'demonstration' },
      ]);
      expect(verdictOf(sample).reasons[0]).toMatch(/^Demonstration: .*by hand/);
      expect(interactions.map(({ state }) => state)).not.toContain('failed');
      for (const { provider, reasoningContent } of interactions)
        expect([provider, reasoningContent]).toEqual(['demonstration', expect.stringMatching(/\p{L}{3}/u)]);
    }
    const lines = printed.filter(({ type }) => type === 'verdict') as unknown as { verdict: Verdict }[];
    expect(lines.filter(({ verdict }) => verdict.method === 'demonstration')).toHaveLength(26);
  });

  it("judges an alert of one's own by rules, which is no failure of a provider", () => {
    const own = about('won a car');
    expect(runOf(own).settings).toMatchObject({ provider: 'none', model: 'none' });
    expect(runOf(own).interactions).toEqual([]);
    expect(verdictOf(own)).toMatchObject({ method: 'heuristic', degraded: false });
  });

  it("decides a played answer as it would a model's: a low risk is dismissed", () => {
    expect(verdictOf(about('lunch tomorrow'))).toMatchObject({ disposition: 'dismiss', confidence: 0.95 });
  });

  it('has costs at its own prices', () => {
    const costs = cases.flatMap((one) => runOf(one).interactions.map(({ costUsd }) => costUsd));
    expect(costs.length).toBeGreaterThan(40);
    expect(costs.every((usd) => usd !== null && usd > 0)).toBe(true);
  });

  it('shows a citation that does not exist: the critic warns, and a person looks at the case', () => {
    const one = about('rating hotels');
    const review = runOf(one).artifacts.find(({ artifact }) => artifact === 'review');
    expect(review?.body).toMatchObject({ ruling: 'WARN', findings: [{ code: 'unknown_evidence' }] });
    expect(verdictOf(one)).toMatchObject({ disposition: 'review', outcome: { riskLevel: 'high' } });
  });

  it('T-01 shows true quotes with a wrong conclusion: the rules contradict it, and the case needs review', () => {
    const one = about('Inspector Rao');
    const review = runOf(one).artifacts.find(({ artifact }) => artifact === 'review');
    expect(review?.body).toMatchObject({ ruling: 'WARN', findings: [{ code: 'contradicts_text_signals' }] });
    expect(verdictOf(one)).toMatchObject({ method: 'demonstration', disposition: 'review' });
    expect(verdictOf(one).reasons.join(' ')).toContain('arrest');
  });

  it('shows an answer that could not be read and was asked for again', () => {
    const { interactions } = runOf(about('WINDOWS SECURITY ALERT'));
    expect(interactions).toHaveLength(2);
    expect(verdictOf(about('WINDOWS SECURITY ALERT'))).toMatchObject({ degraded: false, disposition: 'act' });
  });

  it('shows a quote struck out, an abstention below 0.65, and a call told from what was read before', () => {
    expect(criterion(about('Burst washing'), 'excess')).toMatchObject({
      status: 'MET',
      claimed: { confidence: 0.95 },
      refuted: [expect.objectContaining({ problem: 'quote_not_found' })],
    });
    expect(criterion(about('hire car in Lisbon'), 'unattended')).toMatchObject({
      status: 'UNCERTAIN',
      reasonCode: 'low_confidence',
      confidence: 0.6,
    });
    const proof = criterion(about('Necklace'), 'proof');
    expect(proof.iterations).toBe(4);
    expect(proof.trace.flatMap(({ actions }) => actions.map(({ cached }) => cached))).toContain(true);
  });

  it('S2-44 S2-50 works incidents through by turns, with tools of the made-up cluster, and no secret of theirs gets out', () => {
    const disk = verdictOf(about('DiskAlmostFull'));
    expect(disk).toMatchObject({ outcome: { action: 'page' }, disposition: 'act', degraded: false });
    expect(disk.outcome['hypotheses']).toMatchObject([
      { cause: expect.stringContaining('replica_2'), citations: [{}, {}, {}] },
    ]);
    expect(disk.outcome['ruledOut']).toHaveLength(3);
    const release = about('CheckoutErrorRateHigh');
    expect(verdictOf(release).outcome).toMatchObject({ action: 'page', severity: 'warning', gaps: [] });
    const tools = runOf(release).toolCalls.map(({ tool }) => tool);
    expect(tools).toEqual(expect.arrayContaining(['runbook_find', 'cluster__logs', 'cluster__metrics']));
    expect(JSON.stringify(release)).toContain('DB_PASSWORD=[masked]');
    expect(JSON.stringify(release)).not.toContain('n0t-a-real');
  });

  it('S5-21 S5-23 S5-10 researches a question: a search for what is missing, a REJECT, a draft that is let pass', () => {
    const of = (mode: string) =>
      cases.find(({ alerts: [alert] }) => {
        const { sourceMode, items } = (alert?.payload ?? {}) as { sourceMode?: string; items?: unknown[] };
        return sourceMode === mode && items?.length === 10;
      })!;
    const strict = runOf(of('strict'));
    expect(strict.toolCalls.map(({ tool, state }) => [tool, state])).toEqual([['web_search', 'succeeded']]);
    const reviews = strict.artifacts.filter(({ artifact }) => artifact === 'review');
    expect(reviews.map(({ round, body }) => [round, body['ruling']])).toEqual([
      [2, 'REJECT'],
      [3, 'PASS'],
    ]);
    const found = reviews[0]!.body['findings'] as { code: string }[];
    expect(found.map(({ code }) => code)).toEqual(['no_citation', 'number_not_in_source', 'logical_gap']);
    const passed = reviews[1]!.body['crossExamination'] as { claims: { answer: string }[] };
    expect(passed.claims.map(({ answer }) => answer)).toEqual(Array.from({ length: 7 }, () => 'supports'));
    expect(strict.verdict).toMatchObject({
      disposition: 'act',
      degraded: false,
      outcome: { rounds: 3, converged: true, ruling: 'PASS', share: 1, items: [{ score: 100 }] },
    });
    expect(verdictOf(of('discovery'))).toMatchObject({
      disposition: 'act',
      outcome: { ruling: 'WARN', sources: 10 },
    });
    expect(verdictOf(of('monitor'))).toMatchObject({
      disposition: 'act',
      outcome: { ruling: 'PASS', share: 1 },
    });
    const none = about('dcard-board');
    expect(runOf(none).interactions).toEqual([]);
    expect(verdictOf(none)).toMatchObject({
      disposition: 'review',
      outcome: { error: 'NoValidSourcesError' },
    });
  });
});
