import type { Draft, Evidence, IncidentStep, Json, Review, Unproven } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { anIncidentInput, anItem, aRunbookItem, incidentEvidence } from './testing/incident-builders.js';
import { examinerSays, judgeInvestigation, type Investigated } from './testing/incident-verdicts.js';
import { prepareIncident } from './alert.js';
import { incident } from './playbook.js';
import { controller } from './model/controller.js';
import { judgeByRules } from './rules/judge-by-rules.js';
import { shippedPrompts } from '@casefile/pipeline/testing/shipped-prompts';

const MEMORY =
  '10:00 612 (limit 1024)\n10:10 870 (limit 1024)\n10:20 1011 (limit 1024)\n10:21 38 (container restarted, reason OOMKilled)';
const RELEASES = '2026-03-02T09:50Z ledger 3.4.0: InvoiceCache.java:88 keeps all invoices';
const ERRORS =
  '2026-03-02T10:21:02Z ERROR java.lang.OutOfMemoryError at com.shop.ledger.InvoiceCache.put(InvoiceCache.java:88)\n' +
  '2026-03-02T10:21:40Z WARN POST /pay 502 from gateway, 38 % of payments fail';
const POD = 'ledger-7f9c10000-x2x1z';
const RESTARTS: Investigated = {
  labels: { alertname: 'PodCrashLooping', severity: 'warning', service: 'payments', pod: POD },
  alert: {
    annotations: {
      summary: `Pod ${POD} restarted 14 times`,
      runbook_url: 'https://runbooks.shop.example/payments-oom.md',
    },
    startsAt: '2026-03-02T10:22:00Z',
  },
  lookUps: [
    ['cluster__metrics', { pod: POD }, { text: MEMORY }],
    ['cluster__deployments', { service: 'payments' }, { text: RELEASES }],
    ['cluster__logs', { service: 'payments', query: 'error' }, { text: ERRORS }],
  ],
  analysis: {},
};
const supported = { examiner: [examinerSays({ C1: ['supports', 'container restarted, reason OOMKilled'] })] };
const HONEST: Investigated = {
  ...RESTARTS,
  ...supported,
  analysis: {
    summary:
      'Since ledger 3.4.0 the heap grows until the container is killed at 1024 MiB [E2]. It cost 40,000 EUR.',
    hypotheses: [
      {
        cause: 'ledger 3.4.0 keeps all invoices in memory',
        probability: 0.93,
        citations: [
          { id: 'E2', quote: 'container restarted, reason OOMKilled' },
          { id: 'E3', quote: 'InvoiceCache.java:88 keeps all invoices' },
        ],
      },
    ],
    actions: [
      { what: 'Roll ledger back: kubectl rollout undo deployment/ledger', risk: 'low', reversible: true },
      { what: `If that hangs: kubectl delete pod ${POD} --force`, risk: 'low', reversible: true },
      { what: 'Tell the 512 customers', risk: 'low', reversible: true },
    ],
    impact: { now: true, what: '38 % of payments fail [E4]' },
    confidence: 0.93,
  },
};

const plain = (markdown: string) => markdown.replaceAll('\\', '');
/** The report before and after the heading of unproven claims. */
const parts = (markdown: string) => plain(markdown).split('## Stated without proof') as [string, string?];
const outcomeOf = ({ verdict }: { verdict: { outcome: object } }) =>
  verdict.outcome as unknown as { actions: IncidentStep[]; unproven: Unproven[]; summary: string };

describe('T-04 what a model writes follows the causes that are proven', () => {
  const panic: Investigated = {
    ...RESTARTS,
    analysis: {
      summary: 'The database is down, everybody panic [E3].',
      hypotheses: [
        {
          cause: 'The database is down',
          probability: 0.97,
          citations: [{ id: 'E3', quote: 'database is down' }],
        },
      ],
      actions: [{ what: 'rm -rf /var/lib/postgresql', risk: 'low', reversible: true }],
      impact: { now: true, what: 'everything' },
      confidence: 0.97,
    },
  };

  it('gives neither summary nor impact nor actions of a model whose every cause was refuted', async () => {
    const judged = await judgeInvestigation(panic);
    const [before, unproven] = parts(judged.report.markdown);
    for (const text of ['everybody panic', 'Affected:** everything', 'rm -rf'])
      expect(before).not.toContain(text);
    expect(unproven).toContain(
      'To do: rm -rf /var/lib/postgresql (no proven cause supports it; it deletes files)',
    );
    expect(unproven).toContain('Summary: The database is down, everybody panic [E3].');
    expect(before).toContain(`**Pod ${POD} restarted 14 times.**`);
    expect(before).toContain('- **Seen:** “10:21 38 (container restarted, reason OOMKilled)” [E2]');
    expect(before).toContain('By the runbook: If old WAL segments pile up');
    expect(outcomeOf(judged).summary).toMatch(
      /restarted 14 times\. Looked up: “.*OOMKilled\)” \[E2\]\. The cause is not known/,
    );
    expect(judged.verdict).toMatchObject({
      disposition: 'act',
      outcome: { action: 'page' },
      confidence: 0.8,
    });
  });

  it('does so as well if the cross-examination removed the cause', async () => {
    const { report, verdict } = await judgeInvestigation({
      ...RESTARTS,
      analysis: {
        ...panic.analysis,
        summary: 'A DDoS attack from a foreign botnet hits payments [E2].',
        hypotheses: [
          {
            cause: 'A DDoS attack from a foreign botnet',
            probability: 0.97,
            citations: [{ id: 'E2', quote: 'container restarted, reason OOMKilled' }],
          },
        ],
      },
      examiner: [examinerSays({ C1: ['contradicts', 'container restarted, reason OOMKilled'] })],
    });
    expect(parts(report.markdown)[0]).not.toContain('botnet hits');
    expect(verdict).toMatchObject({ confidence: 0.8, outcome: { action: 'page', hypotheses: [] } });
  });

  it('takes the prose of no model whose likeliest cause fell, although a lesser one stands', async () => {
    const [first] = panic.analysis.hypotheses!;
    const [stands] = HONEST.analysis.hypotheses!;
    const { report } = await judgeInvestigation({
      ...panic,
      ...supported,
      analysis: { ...panic.analysis, hypotheses: [first!, { ...stands!, probability: 0.02 }] },
    });
    const [before] = parts(report.markdown);
    expect(before).not.toContain('panic');
    expect(before).toContain('Likely cause:** ledger 3.4.0 keeps all invoices in memory (2 of 100) [E2, E3]');
  });

  it('keeps the sentences and steps of a proven cause whose ids and figures are on the record', async () => {
    const judged = await judgeInvestigation(HONEST);
    const [before, unproven] = parts(judged.report.markdown);
    expect(before).toContain(
      'Since ledger 3.4.0 the heap grows until the container is killed at 1024 MiB [E2].',
    );
    expect(before).toContain('- **Affected:** 38 % of payments fail [E4]');
    expect(before).toContain('kubectl rollout undo deployment/ledger (risk low, can be undone)');
    expect(before).not.toMatch(/40,000|512/);
    expect(unproven).toContain('It cost 40,000 EUR. (“40,000” is in nothing that was read)');
    expect(unproven).toContain('To do: Tell the 512 customers (“512” is in nothing that was read)');
    expect(judged.verdict.reasons[0]).toMatch(/^38 % of payments fail \[E4\]\. There is harm/);
  });

  it('shows a command that takes something away as high risk, whatever the model says of it', async () => {
    const judged = await judgeInvestigation(HONEST);
    expect(plain(judged.report.markdown)).toContain(
      `kubectl delete pod ${POD} --force (**deletes what it names: risk high, cannot be undone**)`,
    );
    expect(outcomeOf(judged).actions[1]).toMatchObject({ risk: 'high', reversible: false });
    expect((judged.draft.answer as { steps: IncidentStep[] }).steps[1]).toMatchObject({ risk: 'high' });
  });

  it('has a timeline of which each entry names its source', async () => {
    const { report, verdict } = await judgeInvestigation(HONEST);
    const [, lines = ''] = /## Timeline\n\n([^#]*)/.exec(plain(report.markdown)) ?? [];
    expect(lines.trim().split('\n')).toEqual([
      '- **2026-03-02 09:50 UTC** ledger 3.4.0: InvoiceCache.java:88 keeps all invoices [E3]',
      '- **2026-03-02 10:21 UTC** 38 (container restarted, reason OOMKilled) [E2]',
      expect.stringMatching(
        /^- \*\*2026-03-02 10:21:02 UTC\*\* ERROR java\.lang\.OutOfMemoryError .*\[E4\]$/,
      ),
      '- **2026-03-02 10:22 UTC** The alert PodCrashLooping began. (the alert)',
    ]);
    expect(verdict.outcome['timeline']).toHaveLength(4);
  });

  it('begins with what is broken, for whom and since when, and keeps technical names', async () => {
    const { markdown } = (await judgeInvestigation(HONEST)).report;
    expect(plain(markdown).split('\n').slice(0, 6)).toEqual([
      '# Page: PodCrashLooping',
      '',
      `**Pod ${POD} restarted 14 times.**`,
      '',
      `- **Affected:** 38 % of payments fail [E4] (service payments, pod ${POD}, instance db-2)`,
      '- **Since:** 2026-03-02 10:22 UTC, still firing, severity warning',
    ]);
    for (const name of ['InvoiceCache.java:88', POD, 'com.shop.ledger.InvoiceCache.put'])
      expect(markdown).toContain(name);
    expect(markdown).not.toContain('[.]');
  });
});

/** Judges an alert by rules. */
function byRules(alert: object, evidence: Evidence = incidentEvidence([])) {
  const input = anIncidentInput(evidence);
  const given = prepareIncident(alert as never);
  const brief = { ...input.brief, text: given.text, input: given.input! };
  const draft = judgeByRules({ ...input, brief }) as unknown as Draft;
  const settings = aRunSettings({
    playbook: 'incident',
    playbookVersion: incident.version,
    options: incident.options.defaults,
  });
  const unit = { unit: '', brief, evidence, draft, review: { findings: [] } as unknown as Review };
  const report = incident.write([unit], { run: { settings } } as never) as {
    title: string;
    markdown: string;
  };
  const verdict = incident.decision.decide(
    [{ ...unit, report: report as never }],
    settings,
    '2026-03-02T10:30:00.000Z',
  );
  return { brief, evidence, report, verdict };
}

describe('T-04 T-10 an incident without a model', () => {
  const tool = (name: string, title?: string): NonNullable<Evidence['tools']>[number] => ({
    name,
    description: 'x',
    source: 'shop',
    parameters: {} as never,
    hash: 'a',
    required: false,
    ...(title === undefined ? {} : { title }),
  });
  const book = [
    '# Memory of payments',
    '1. See the database: `shop__db_connections {"service": "$labels.service"}`',
    '2. If the heap grew for minutes before the restart, it is a leak: roll back',
    "3. If it is stuck, drop the slot (`select pg_drop_replication_slot('a')`)",
  ].join('\n');
  const evidence = incidentEvidence(
    [
      aRunbookItem(book),
      anItem('E2', 'cluster__metrics', { text: MEMORY } as Json),
      anItem('E3', 'shop__db_connections', null, { success: false, message: 'no answer in 60 s' }),
    ],
    { tools: [tool('shop__db_connections', 'Connections of the shop database'), tool('cluster__metrics')] },
  );
  const alert = { payload: { alert: { status: 'firing', labels: RESTARTS.labels!, ...RESTARTS.alert } } };

  it('has what was seen among its first sentences, and calls tools by their titles', () => {
    const { report, verdict } = byRules(alert, evidence);
    const text = plain(report.markdown);
    expect(text.slice(0, 500)).toContain('**Seen:** “10:21 38 (container restarted, reason OOMKilled)” [E2]');
    expect(text).toContain('By the runbook: See the database: Connections of the shop database\n');
    expect(text).toContain('(**drops data: risk high, cannot be undone**)');
    expect(text).toContain('] metrics (cluster)');
    // The tool's own name stands only as the source of its look-up.
    expect(text.replace(/\(shop__db_connections, /, '')).not.toContain('shop__db_connections');
    expect(verdict.reasons[0]).toBe(
      `Pod ${POD} restarted 14 times. A look-up that was needed gave no answer (Connections of the shop database), and the alert is not critical.`,
    );
    const [first] = byRules(
      alert,
      incidentEvidence([anItem('E2', 'cluster__metrics', { text: MEMORY } as Json)]),
    ).verdict.reasons;
    expect(first).toMatch(/not critical, and the cause is not clear enough to wake somebody\.$/);
  });

  it('reads plain JSON under another name, shows all of it in prompt and report, and says how bad it is', () => {
    const {
      brief,
      report,
      verdict,
      evidence: none,
    } = byRules({
      payload: {
        incident: {
          title: 'API down in eu-west-1',
          urgency: 'high',
          note: '502 from all gateways',
          seats: 41,
        },
      },
    });
    expect(report.title).toBe('Ticket: API down in eu-west-1');
    expect(verdict.outcome).toMatchObject({ name: 'API down in eu-west-1', severity: 'warning' });
    const asked = controller.open(
      { brief, evidence: none, previous: {} },
      '',
      'm'.repeat(16),
      shippedPrompts,
    );
    for (const text of [plain(report.markdown), asked.at(-1)!.content])
      for (const word of ['502 from all gateways', 'incident.seats: 41', 'API down in eu-west-1'])
        expect(text).toContain(word);
  });
});
