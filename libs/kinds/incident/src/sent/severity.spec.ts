import fc from 'fast-check';
import { severityInText, severityOfValue, type SeverityScale } from './severity.js';

/** Values of fields for severity: the source, then value and level. */
const VALUES: Record<string, [string, string][]> = {
  'Prometheus and Alertmanager examples': [
    ['critical', 'critical'],
    ['page', 'critical'],
    ['warning', 'warning'],
    ['info', 'info'],
    ['none', 'info'],
  ],
  'spellings of severities in Keep (keephq/keep#5139)': [
    ['CRITICAL', 'critical'],
    ['Crit', 'critical'],
    [' critical ', 'critical'],
    ['P1 - Critical', 'critical'],
    ['P2 - High', 'warning'],
    ['P3 - Moderate', 'warning'],
    ['P4 - Low', 'info'],
    ['P5', 'info'],
    ['p0', 'critical'],
    ['P-1', 'critical'],
    ['P 1', 'critical'],
    ['P_2', 'warning'],
    ['P1', 'critical'],
    ['P2', 'warning'],
    ['priority 1', 'critical'],
    ['Priority: 3', 'warning'],
    ['prio1', 'critical'],
    ['critical/urgent', 'critical'],
    ['urgent', 'critical'],
    ['highest', 'critical'],
    ['blocker', 'critical'],
    ['trivial', 'info'],
  ],
  'incident levels as teams write them': [
    ['SEV 1', 'critical'],
    ['sev_1', 'critical'],
    ['SEV-1', 'critical'],
    ['sev1', 'critical'],
    ['Sev0', 'critical'],
    ['SEV2', 'warning'],
    ['Sev 3', 'warning'],
    ['sev4', 'info'],
    ['SEV: 5', 'info'],
    ['S1', 'critical'],
    ['S2', 'warning'],
    ['s4', 'info'],
    ['severity 1', 'critical'],
    ['Severity-2', 'warning'],
    ['Severity 1 (critical business impact)', 'critical'],
    ['SEV1 | checkout', 'critical'],
  ],
  'syslog (RFC 5424)': [
    ['emerg', 'critical'],
    ['emergency', 'critical'],
    ['alert', 'critical'],
    ['crit', 'critical'],
    ['err', 'warning'],
    ['error', 'warning'],
    ['warn', 'warning'],
    ['notice', 'info'],
    ['informational', 'info'],
    ['debug', 'info'],
    ['panic', 'critical'],
  ],
  Zabbix: [
    ['Disaster', 'critical'],
    ['High', 'warning'],
    ['Average', 'warning'],
    ['Warning', 'warning'],
    ['Information', 'info'],
    ['Not classified', 'unknown'],
  ],
  ServiceNow: [
    ['1 - Critical', 'critical'],
    ['2 - High', 'warning'],
    ['3 - Moderate', 'warning'],
    ['4 - Low', 'info'],
    ['5 - Planning', 'info'],
  ],
  'PagerDuty, Opsgenie, Datadog, Sentry, Azure, New Relic, Google Cloud': [
    ['fatal', 'critical'],
    ['error', 'warning'],
    ['low', 'info'],
    ['high', 'warning'],
    ['normal', 'info'],
    ['success', 'info'],
    ['Sev1', 'critical'],
    ['Sev3', 'warning'],
    ['CRITICAL', 'critical'],
    ['MEDIUM', 'warning'],
    ['Critical ', 'critical'],
    ['major', 'warning'],
    ['minor', 'info'],
    ['clear', 'info'],
  ],
  'values with context (keephq/keep#6095, #6403; IPMI sensors; mails of backups)': [
    ['non-critical', 'warning'],
    ['noncritical', 'unknown'],
    ['not critical', 'warning'],
    ['no longer critical', 'warning'],
    ['0 critical, 3 warnings', 'warning'],
    ['critical: 0', 'unknown'],
    ['warning (was critical)', 'warning'],
    ['CRITICAL -> OK', 'info'],
    ['WARNING => CRITICAL', 'critical'],
    ['critical → warning', 'warning'],
    ['previously critical, now info', 'info'],
  ],
  'values that name no severity': [
    ['purple', 'unknown'],
    ['', 'unknown'],
    ['   ', 'unknown'],
    ['1', 'unknown'],
    ['5', 'unknown'],
    ['team-checkout', 'unknown'],
    ['P9', 'unknown'],
    ['sev', 'unknown'],
    ['{{ $labels.severity }}', 'unknown'],
  ],
};

const SCALES: [SeverityScale, string, string][] = [
  ['first', '1', 'critical'],
  ['first', '2', 'warning'],
  ['first', '4', 'info'],
  ['first', '0', 'info'],
  ['syslog', '0', 'critical'],
  ['syslog', '2', 'critical'],
  ['syslog', '4', 'warning'],
  ['syslog', '6', 'info'],
  ['syslog', '9', 'unknown'],
  ['zabbix', '5', 'critical'],
  ['zabbix', '4', 'warning'],
  ['zabbix', '1', 'info'],
];

const TEXTS: Record<string, [string, string][]> = {
  "Zabbix's default problem message": [
    ['Problem: Database is down\nHost: db-4\nSeverity: Disaster\nOriginal problem ID: 9', 'critical'],
    ['Problem: Swap is used\nSeverity: Average', 'warning'],
    ['Problem: Agent restarted\nSeverity: Information', 'info'],
  ],
  'mails and chat messages with a line for it': [
    ['Priority: P1\nCheckout answers 500', 'critical'],
    ['*Severity:* x\nSeverity: SEV-2', 'warning'],
    ['> Severity = critical', 'critical'],
    ['• Urgency: high\nWhat: slow pages', 'warning'],
    ['Level : notice\nsomething rotated', 'info'],
  ],
  'running text that names it': [
    ['CRITICAL: checkout answers 500 since the release', 'critical'],
    ['[CRIT] disk of db-2 is full', 'critical'],
    ['sev1 declared: nobody can log in', 'critical'],
    ['P0 for payments', 'critical'],
    ['Emergency: the datacentre has no power', 'critical'],
    ['WARNING: 80 % of the disk is used', 'warning'],
    ['2 warnings, 1 critical on web-1', 'critical'],
    ['CRITICAL (was WARNING) - load is 40', 'critical'],
    ['A disaster for the shop: all orders fail', 'critical'],
  ],
  'the word, and not the severity': [
    ['A non-critical update of the staging wiki ran at 02:00', 'unknown'],
    ['Pod coredns (priority class system-cluster-critical) has restarted', 'unknown'],
    ['priorityClassName: system-node-critical', 'unknown'],
    ['Scan finished: 0 critical, 0 high, 3 medium', 'unknown'],
    ['No critical vulnerabilities were found', 'unknown'],
    ['zero critical findings', 'unknown'],
    ['HTTP OK - was CRITICAL for 5m', 'unknown'],
    ['formerly critical service runs well', 'unknown'],
    ['critical=0 warning=0 unknown=1', 'unknown'],
    ['Not critical, please look at it tomorrow', 'unknown'],
    ['critical_alerts.yaml was reloaded', 'unknown'],
    ['/etc/critical/backup.conf changed', 'unknown'],
    ['The critical path of the build got shorter', 'unknown'],
    ['Microsoft critical updates are installed tonight', 'unknown'],
    ['without any warning the page became slow', 'unknown'],
    ['the site is slow', 'unknown'],
    ['model P1000 printer has no paper', 'unknown'],
  ],
};

const rows = (table: Record<string, [string, string][]>) =>
  Object.entries(table).flatMap(([source, pairs]) =>
    pairs.map(([value, level]) => [source, value, level] as const),
  );

describe('severity', () => {
  it.each(rows(VALUES))('S2-44 T-10 %s: the value "%s" is %s', (_source, value, level) => {
    expect(severityOfValue(value)).toBe(level);
  });

  it.each(SCALES)('T-10 on the scale %s the figure %s is %s', (scale, value, level) => {
    expect(severityOfValue(value, scale)).toBe(level);
  });

  it.each(rows(TEXTS))('T-10 %s: "%s" is %s', (_source, text, level) => {
    expect(severityInText(text)).toBe(level);
  });

  it('T-10 is never critical where the only mention is negated, counted as none, or over', () => {
    const frame = fc.constantFrom(
      'no W',
      'not W',
      'non-W',
      '0 W',
      'zero W',
      'W: 0',
      'W=0',
      'was W',
      'previously W',
      'never W',
    );
    const word = fc.constantFrom('critical', 'CRITICAL', 'Emergency', 'crit', 'P1', 'disaster');
    fc.assert(
      fc.property(
        frame,
        word,
        fc.constantFrom('Scan: ', 'Report ', ''),
        fc.constantFrom('', ' today', '.'),
        (f, w, a, b) => {
          expect(severityInText(`${a}${f.replace('W', w)}${b}`)).not.toBe('critical');
        },
      ),
    );
  });

  it('T-10 reads any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => void [severityOfValue(text), severityInText(text)],
      ),
    );
  });
});
