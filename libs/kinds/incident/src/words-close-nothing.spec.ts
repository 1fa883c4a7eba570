import type { Alert, JsonObject } from '@casefile/contracts';
import { examinerSays, judgeByRulesAlone, judgeInvestigation } from './testing/incident-verdicts.js';
import { occurrence } from './alert.js';
import lists from './sent/outage-words.json' with { type: 'json' };

const alert = (sent: Partial<Alert>): Alert => ({
  id: 'a',
  playbook: 'incident',
  receivedAt: '2026-03-02T09:00:00.000Z',
  ...sent,
});
const byRules = (text: string) => judgeByRulesAlone(alert({ text }));

/** Sentences of recovery: whole, negated, partial. English ones stand next to texts of any language. */
const RECOVERIES: Record<string, string[]> = {
  en: [
    'It has recovered.',
    'Nothing has recovered.',
    'Only one of 40 shards has recovered.',
    'The EU has recovered but the US still answers 503.',
    'The incident has been resolved, says the vendor; we see no change.',
    'Resolved: false',
    'OK so everybody is affected.',
    'Latency is back to normal in one of three zones.',
    'Status: OK',
    'Status: completed',
    'This is a test.',
  ],
  de: [
    'Alles läuft wieder.',
    'Nichts ist behoben.',
    'Nur ein Shard von 40 läuft wieder.',
    'Störung behoben.',
  ],
  fr: ['Tout est rétabli.', "Rien n'est rétabli.", 'Un seul nœud sur 40 est rétabli.'],
  es: ['Todo se ha recuperado.', 'Nada se ha recuperado.', 'Resuelto solo en la UE.'],
  pt: ['Tudo voltou ao normal.', 'Nada voltou ao normal.'],
  it: ['Tutto risolto.', 'Niente è stato risolto.'],
  nl: ['Alles is hersteld.', 'Niets is hersteld.'],
  pl: ['Wszystko działa ponownie.', 'Nic nie zostało naprawione.'],
  tr: ['Her şey düzeldi.', 'Hiçbir şey düzelmedi.'],
  ru: ['Всё восстановлено.', 'Ничего не восстановлено.', 'Восстановлен один шард из 40.'],
  ar: ['تم حل المشكلة.', 'لم يتم حل المشكلة.'],
  hi: ['सब ठीक हो गया।', 'कुछ भी ठीक नहीं हुआ।'],
  zh: ['已恢复。', '尚未恢复。', '40 个分片中只有一个已恢复。'],
  ja: ['復旧しました。', 'まだ復旧していません。'],
  ko: ['복구되었습니다.', '아직 복구되지 않았습니다.'],
};
const LANGUAGES = Object.keys(lists.failing);
const first = (list: Record<string, string>, language: string) =>
  (list[language] ?? list['any'] ?? '').split('/')[0]!.replace('*', '');

/** Texts of an outage in a language of the lexicon, with each sentence of recovery before and after it. */
const textsIn = (language: string): string[] => {
  const outage = `${first(lists.systems, language)} ${first(lists.failing, language)}.`;
  const said = [...(RECOVERIES[language] ?? []), ...(language === 'en' ? [] : RECOVERIES['en']!)];
  return [outage, ...said.flatMap((words) => [`${words} ${outage}`, `${outage}\n${words}`])];
};
const dismissed = (alerts: readonly Partial<Alert>[]) =>
  alerts.filter((sent) => {
    const { disposition, outcome } = judgeByRulesAlone(alert(sent));
    return disposition === 'dismiss' || outcome['action'] === 'no-action';
  });

describe('T-43 words of a text close no incident', () => {
  it.each(LANGUAGES)('by rules, in %s: whole, negated or partial', (language) => {
    const texts = textsIn(language);
    expect(texts.length).toBeGreaterThan(20);
    expect(dismissed(texts.map((text) => ({ text })))).toEqual([]);
  });

  it('by rules, in a summary or an annotation of a payload without a status', () => {
    const payloads = ['en', 'de', 'zh', 'ar'].flatMap(textsIn).flatMap((text): JsonObject[] => [
      { title: 'Checkout', message: text },
      { labels: { alertname: 'Checkout', severity: 'critical' }, annotations: { summary: text } },
    ]);
    expect(dismissed(payloads.map((payload) => ({ payload })))).toEqual([]);
  });

  it.each([
    ['the model cites no look-up', [], []],
    ['the model cites a look-up that does not exist', [], [{ id: 'E2', quote: 'has recovered' }]],
    ['a past case had recovered', [['past_cases', {}, { cases: [] }]], [{ id: 'E2', quote: 'cases' }]],
  ] as const)(
    'by an answer of a model that an examiner supports, if %s',
    async (_what, lookUps, citations) => {
      for (const text of [...textsIn('en').slice(0, 8), ...textsIn('zh').slice(0, 8)]) {
        const { verdict } = await judgeInvestigation({
          sent: alert({ text }),
          lookUps: lookUps as never,
          analysis: { falseAlarm: { is: true, citations: [...citations] }, confidence: 1 },
          examiner: [examinerSays({ F1: ['supports', 'has recovered'] })],
        });
        expect([text, verdict.disposition]).not.toEqual([text, 'dismiss']);
      }
    },
  );

  it.each(['info', 'warning'])(
    'a false alarm of severity %s needs a look-up from after the alert began',
    async (severity) => {
      const judge = (moment: string) =>
        judgeInvestigation({
          labels: { severity },
          lookUps: [
            ['cluster__disk_usage', { instance: 'db-2' }, { text: `${moment} db-2 41 % of 200 GiB` }],
            ['cluster__logs', { service: 'orders-db' }, { text: `${moment} backup removed` }],
          ],
          analysis: { falseAlarm: { is: true, citations: [{ id: 'E2', quote: 'db-2 41 % of 200 GiB' }] } },
          examiner: [examinerSays({ F1: ['supports', '41 % of 200 GiB'] })],
        });
      expect((await judge('2026-03-02T08:00:00Z')).verdict.disposition).toBe('review');
      expect((await judge('2026-03-02T08:58:00Z')).verdict.disposition).toBe('dismiss');
    },
  );

  it.each([
    ['CRITICAL: checkout is down\nStatus: OK', 'ticket', /suggests that the problem is over/],
    ['[RESOLVED] CRITICAL: checkout is down', 'ticket', /suggests that the problem is over/],
    ['[TEST] CRITICAL: checkout is down', 'ticket', /suggests that this is a test/],
    ['CRITICAL: checkout is down. Nothing has recovered.', 'page', /critical/],
    ['Watchdog', 'ticket', /severity of the alert is not known/],
    ['RESOLVED: disk of db-2', 'ticket', /disk of db-2\. Its text suggests that the problem is over/],
  ])('they lower a page to review at most: %j', (text, action, because) => {
    const { outcome, reasons } = byRules(text);
    expect([outcome['action'], reasons[0]]).toEqual([action, expect.stringMatching(because)]);
  });
});

const labels = { alertname: 'CheckoutDown', severity: 'critical' };
/** Alerts over by a status field of their sender. */
const OVER: [string, JsonObject][] = [
  ['Alertmanager', { alert: { status: 'resolved', labels, startsAt: '2026-03-02T08:55:00Z' } }],
  [
    'Alertmanager, whole post',
    { status: 'resolved', commonLabels: labels, alerts: [{ status: 'resolved', labels }] },
  ],
  ['Grafana 8', { ruleName: 'Checkout', state: 'ok', ruleId: 7 }],
  [
    'PagerDuty',
    { event: { event_type: 'incident.resolved', data: { id: 'P1', title: 'Checkout', urgency: 'high' } } },
  ],
  [
    'PagerDuty events',
    { event_action: 'resolve', dedup_key: 'k', payload: { summary: 'Checkout', severity: 'critical' } },
  ],
  ['Opsgenie', { action: 'Close', alert: { message: 'Checkout', alias: 'a', priority: 'P1' } }],
  ['CloudWatch', { AlarmName: 'Checkout', NewStateValue: 'OK', NewStateReason: 'Threshold' }],
  [
    'Azure',
    { data: { essentials: { alertRule: 'Checkout', severity: 'Sev0', monitorCondition: 'Resolved' } } },
  ],
  ['Google Cloud', { incident: { incident_id: '1', state: 'closed', policy_name: 'Checkout' } }],
  ['Datadog', { title: 'Checkout', alert_type: 'success', alert_transition: 'Recovered' }],
  [
    'Zabbix',
    { trigger_id: '1', event_name: 'Checkout', event_status: 'RESOLVED', event_severity: 'Disaster' },
  ],
  ['Nagios', { NOTIFICATIONTYPE: 'RECOVERY', HOSTNAME: 'web-2', SERVICEDESC: 'HTTP', SERVICESTATE: 'OK' }],
  ['ServiceNow', { number: 'INC1', short_description: 'Checkout', state: 'Closed', priority: '1' }],
  ['Sentry', { action: 'resolved', data: { issue: { id: '1', title: 'Checkout', status: 'resolved' } } }],
  [
    'usual names',
    { title: 'Checkout', severity: 'critical', status: 'ok', message: 'nothing has recovered' },
  ],
  ['the end of an alert', { title: 'Checkout', severity: 'critical', event_type: 'incident.ended' }],
  [
    'a run that succeeded',
    { title: 'Deploy', action: 'completed', run: { status: 'completed', conclusion: 'success' } },
  ],
];

/** Runs that ended, and failed. */
const FAILED: [string, JsonObject][] = [
  [
    'GitHub workflow_run',
    {
      action: 'completed',
      workflow_run: { id: 1, name: 'deploy-production', status: 'completed', conclusion: 'failure' },
      repository: { full_name: 'acme/shop' },
    },
  ],
  [
    'a backup with errors',
    {
      title: 'Backup of db-1 completed with errors',
      status: 'completed',
      severity: 'critical',
      message: '3 of 5 volumes were not saved',
    },
  ],
  ['Jenkins', { name: 'shop', build: { phase: 'COMPLETED', status: 'FAILURE', number: 7 } }],
  ['GitLab', { object_kind: 'pipeline', title: 'shop', object_attributes: { status: 'failed' } }],
  ['CircleCI', { type: 'workflow-completed', title: 'build', workflow: { status: 'failed' } }],
  ['Tekton', { title: 'release', status: 'ended', outcome: 'Failed' }],
  ['a status of several words', { title: 'rollout', status: 'completed with errors' }],
  ['a partial recovery', { title: 'search', severity: 'critical', status: '1 of 40 shards up' }],
];

describe('T-43 a status field of the sender closes an incident', () => {
  it.each(OVER)('%s reports the end', (_what, payload) => {
    const verdict = judgeByRulesAlone(alert({ payload }));
    expect(verdict).toMatchObject({ disposition: 'dismiss', outcome: { action: 'no-action' } });
    expect(verdict.reasons[0]).toBe('Its sender says that it is over.');
  });

  it.each(FAILED)('but not if it failed: %s', (_what, payload) => {
    expect(judgeByRulesAlone(alert({ payload })).disposition).not.toBe('dismiss');
    expect(occurrence(alert({ payload }))?.resolved ?? false).toBe(false);
  });

  it('the text of a notification has such a field in a line', () => {
    const text =
      'Notification Type: RECOVERY\n\nService: HTTP\nHost: web-2\nState: OK\n\nHTTP OK - was CRITICAL';
    expect(byRules(text).disposition).toBe('dismiss');
    expect(byRules(`${text}\nThe other hosts are still down.`).disposition).toBe('review');
  });
});
