import { CasefileError } from '@casefile/contracts';
import { examinerSays, judgeInvestigation, type Investigated } from './testing/incident-verdicts.js';
import { alarmsIn } from './contradictions.js';
import { resultIn } from './read-result.js';

/** Memory of a container until it is killed. */
const MEMORY =
  '10:00 612\n10:05 655\n10:10 780\n10:15 903\n10:20 1011 (limit 1024)\n10:21 38 (container restarted, reason OOMKilled)';
const OOM: Investigated = {
  labels: {
    alertname: 'PodCrashLooping',
    severity: 'critical',
    service: 'payments',
    instance: 'payments-7f9c',
  },
  alert: {
    annotations: { summary: 'payments-7f9c restarts again and again' },
    startsAt: '2026-03-02T10:21:00Z',
  },
  lookUps: [['cluster__metrics', { service: 'payments', metric: 'memory' }, { text: MEMORY }]],
  analysis: {},
};
const allIsWell = { is: true, citations: [{ id: 'E2', quote: '10:00 612' }] };
const closesCritical: Investigated = {
  ...OOM,
  analysis: { summary: 'Memory is normal [E2].', falseAlarm: allIsWell, confidence: 0.95 },
};

describe('T-03 a critical alert that a model calls a false alarm by one true, irrelevant quote', () => {
  it('T-35 pages by its cited lines alone, without a question: they are from before the alert', async () => {
    const { verdict, review, report, ports } = await judgeInvestigation(closesCritical);
    expect(verdict).toMatchObject({ disposition: 'act', outcome: { action: 'page' }, confidence: 0.8 });
    expect(verdict.reasons[1]).toMatch(/false alarm, which does not hold. time: “2026-03-02T10:00/);
    expect(review.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['claim_time', 'contradicts_look_ups']),
    );
    expect(ports.model.calls).toEqual([]);
    expect(report.markdown).not.toContain('shows that nothing is wrong');
    expect(report.title).toBe('Page: PodCrashLooping');
  });

  it('is a ticket if its cited lines hold and an examiner supports it', async () => {
    const text = '10:24 payments-7f9c running, 1 of 1 ready';
    const { verdict, draft } = await judgeInvestigation({
      ...closesCritical,
      lookUps: [['cluster__pods', { service: 'payments' }, { text }]],
      analysis: { summary: 'It runs.', falseAlarm: { is: true, citations: [{ id: 'E2', quote: text }] } },
      examiner: [examinerSays({ F1: ['supports', '1 of 1 ready'] })],
    });
    expect(verdict).toMatchObject({ disposition: 'review', outcome: { action: 'ticket' } });
    expect(resultIn(draft).falseAlarm).not.toBeNull();
  });
});

/** The disk was full for a moment and is not any more: two look-ups of it say so. */
const HONEST: Investigated = {
  labels: { alertname: 'DiskAlmostFull', severity: 'warning', instance: 'db-2', service: 'orders-db' },
  alert: { startsAt: '2026-03-02T08:55:00Z' },
  lookUps: [
    ['cluster__disk_usage', { instance: 'db-2' }, { text: 'db-2 /var/lib/postgresql 41 % of 200 GiB' }],
    [
      'cluster__logs',
      { service: 'orders-db', query: 'backup' },
      { text: '08:57 base backup finished, 112 GiB removed' },
    ],
  ],
  analysis: {
    summary: 'A base backup filled the disk of db-2 and was removed [E3]; it is at 41 % now [E2].',
    falseAlarm: {
      is: true,
      citations: [
        { id: 'E2', quote: 'db-2 /var/lib/postgresql 41 % of 200 GiB' },
        { id: 'E3', quote: '08:57 base backup finished, 112 GiB removed' },
      ],
    },
  },
};
const SUPPORTED = [examinerSays({ F1: ['supports', '41 % of 200 GiB'] })];

describe('T-03 a warning that a model calls a false alarm', () => {
  it('is closed after a cross-examination that supports it, with one further call', async () => {
    const { verdict, ports, review } = await judgeInvestigation({ ...HONEST, examiner: SUPPORTED });
    expect(verdict).toMatchObject({
      disposition: 'dismiss',
      outcome: { action: 'no-action' },
      confidence: 0.9,
    });
    expect(
      ports.model.calls.map(({ request: { promptId, kind, level } }) => [promptId, kind, level]),
    ).toEqual([['incident/cross-examination@2', 'cross-examination', 'low']]);
    expect(review).toMatchObject({ ruling: 'PASS', findings: [] });
  });

  it.each([
    ['there is no model', null, {}],
    ['the examiner gives no answer in time', [new CasefileError('timeout', 'no answer')], {}],
    ['its answers cannot be used', ['I think so.', 'Yes.'], {}],
    ['it is switched off', [], { crossExamine: false }],
  ])('needs review if %s', async (_, examiner, options) => {
    const { verdict } = await judgeInvestigation({ ...HONEST, examiner, options });
    expect(verdict).toMatchObject({ disposition: 'review', outcome: { action: 'ticket' } });
    expect(verdict.reasons[0]).toMatch(/reports a false alarm, and no cross-examination supports it/);
  });

  it('needs review if only one look-up is of the symptom', async () => {
    const [disk] = HONEST.lookUps;
    const other = [
      'cluster__deployments',
      { service: 'checkout' },
      { text: 'checkout 5.1.4 2026-02-25' },
    ] as const;
    const { verdict } = await judgeInvestigation({
      ...HONEST,
      lookUps: [disk!, other],
      analysis: { falseAlarm: { is: true, citations: [{ id: 'E2', quote: '41 % of 200 GiB' }] } },
      examiner: SUPPORTED,
    });
    expect(verdict.disposition).toBe('review');
    expect(verdict.reasons[0]).toMatch(/only|1 of the 2 look-ups that it needs is of the symptom/);
  });

  it('needs review if every value of the symptom is from before the alert began', async () => {
    const { verdict } = await judgeInvestigation({
      ...HONEST,
      lookUps: [
        ['cluster__disk_usage', { instance: 'db-2' }, { text: '08:10 db-2 at 41 % of 200 GiB' }],
        ['cluster__logs', { service: 'orders-db' }, { text: '08:12 base backup finished' }],
      ],
      analysis: { falseAlarm: { is: true, citations: [{ id: 'E2', quote: 'db-2 at 41 % of 200 GiB' }] } },
      examiner: SUPPORTED,
    });
    expect(verdict.disposition).toBe('review');
    expect(verdict.reasons[0]).toMatch(/\(time\): “2026-03-02T08:10/);
  });

  it('is asked nothing more about information, which it may close', async () => {
    const { verdict, ports } = await judgeInvestigation({
      ...HONEST,
      labels: { ...HONEST.labels, severity: 'info' },
      examiner: [],
    });
    expect(verdict.disposition).toBe('dismiss');
    expect(ports.model.calls).toEqual([]);
  });
});

const DDOS: Investigated = {
  ...OOM,
  analysis: {
    summary: 'A botnet attacks payments [E2].',
    hypotheses: [
      {
        cause: 'A DDoS attack from a foreign botnet',
        probability: 0.97,
        citations: [{ id: 'E2', quote: 'container restarted, reason OOMKilled' }],
      },
    ],
    impact: { now: true, what: 'payments fail' },
    confidence: 0.97,
  },
};

describe('T-02 a page on a cause that its true quote does not show', () => {
  it('T-35 has the confidence of the harm if no examiner answers, and names no cause', async () => {
    const { verdict } = await judgeInvestigation(DDOS);
    expect(verdict).toMatchObject({
      disposition: 'act',
      outcome: { action: 'page', hypotheses: [] },
      confidence: 0.8,
    });
    expect(verdict.reasons.join('\n')).toMatch(/The cause is not known\. The model names one/);
    expect(verdict.reasons).toEqual(expect.arrayContaining([expect.stringMatching(/not cross-examined/)]));
  });

  it('does not name the cause any more once the examiner removed it', async () => {
    const { verdict, report } = await judgeInvestigation({
      ...DDOS,
      examiner: [examinerSays({ C1: ['not_in_it'] })],
    });
    expect(verdict).toMatchObject({
      disposition: 'act',
      confidence: 0.8,
      citations: [],
      outcome: { action: 'page', hypotheses: [] },
    });
    expect(report.markdown).not.toContain('## Likely causes');
    expect(report.markdown.replaceAll('\\', '')).toContain(
      'Not in its sources, removed: A cause of the alert is: A DDoS attack',
    );
  });

  it('T-35 pages for proven harm, as cause not known, if the only cause was removed', async () => {
    const one = { ...DDOS, labels: { ...OOM.labels, severity: 'warning' } };
    expect((await judgeInvestigation(one)).verdict.outcome['action']).toBe('page');
    const removed = await judgeInvestigation({ ...one, examiner: [examinerSays({ C1: ['not_in_it'] })] });
    expect(removed.verdict).toMatchObject({
      disposition: 'act',
      confidence: 0.8,
      outcome: { action: 'page', hypotheses: [] },
    });
    expect(removed.verdict.reasons[0]).toMatch(/There is harm at this time, and the cause is not known/);
  });

  it('keeps a supported cause next to a removed one, and its place', async () => {
    const oom = {
      cause: 'The container reached its memory limit',
      probability: 0.6,
      citations: [
        { id: 'E2', quote: '10:20 1011 (limit 1024)' },
        { id: 'E3', quote: 'fatal: out of memory' },
      ],
    };
    const { verdict, review } = await judgeInvestigation({
      ...DDOS,
      lookUps: [
        ...OOM.lookUps,
        ['cluster__logs', { service: 'payments' }, { text: '10:21 fatal: out of memory' }],
      ],
      analysis: { ...DDOS.analysis, hypotheses: [...DDOS.analysis.hypotheses!, oom] },
      examiner: [examinerSays({ C1: ['not_in_it'], C2: ['supports', 'reason OOMKilled'] })],
    });
    expect(verdict.outcome['hypotheses']).toMatchObject([{ cause: oom.cause }]);
    // Two of three citations are left.
    expect(verdict.confidence).toBeCloseTo(2 / 3);
    expect(review.crossExamination?.claims.map(({ id, answer }) => [id, answer])).toEqual([
      ['C1', 'not_in_it'],
      ['C2', 'supports'],
    ]);
  });
});

describe('T-01 what look-ups say against a false alarm', () => {
  const weightOf = (text: string) =>
    alarmsIn({ id: 'E2', text }, '2026-03-02T08:55:00Z').reduce((sum, { weight }) => sum + weight, 0);

  it.each([
    ['depth 18,300 (limit 5,000)', 1],
    ['depth 900 (limit 5,000)', 0],
    ['depth 41,000 (limit 5,000)\ndepth 900 (limit 5,000)', 0],
    ['free 40 GiB (threshold 10 GiB)', 0],
    ['50 of 50 connections in use', 1],
    ['state NotReady', 1],
    ['NotReady: 0', 0],
    ['no container was OOMKilled', 0],
    ['2026-02-25T10:00:00Z OOMKilled', 0],
    ['09:01 firing\n09:04 resolved', 0],
  ])('%s', (text, weight) => {
    expect(weightOf(text)).toBe(weight);
  });
});
