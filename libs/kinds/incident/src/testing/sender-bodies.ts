import type { JsonObject } from '@casefile/contracts';

/** A body of each sender, shortened from its documentation, and what is read of it. */
export const SENDER_BODIES: Record<string, { body: JsonObject; reads: object; words?: string }> = {
  'alertmanager-webhook': {
    body: {
      version: '4',
      status: 'firing',
      groupKey: '{}:{}',
      commonLabels: { alertname: 'DiskFull', severity: 'critical' },
      commonAnnotations: { summary: 'The disk of db-1 is full' },
      alerts: [{ status: 'firing', labels: { alertname: 'DiskFull' }, startsAt: '2026-01-05T10:00:00Z' }],
    },
    reads: { name: 'DiskFull', severity: 'critical', state: 'firing', startsAt: '2026-01-05T10:00:00Z' },
    words: 'The disk of db-1 is full',
  },
  'grafana-legacy': {
    body: {
      ruleName: 'Panel alert',
      ruleId: 7,
      state: 'alerting',
      title: '[Alerting] Panel alert',
      message: 'load is high',
      ruleUrl: 'http://grafana.example/d/1',
      evalMatches: [{ metric: 'load', value: 97.31 }],
    },
    reads: { name: 'Panel alert', state: 'firing', links: ['http://grafana.example/d/1'] },
    words: '97.31',
  },
  'pagerduty-v3': {
    body: {
      event: {
        event_type: 'incident.triggered',
        occurred_at: '2026-01-05T10:00:00Z',
        data: {
          id: 'PGR0VU2',
          title: 'Checkout API down in eu-west',
          urgency: 'high',
          priority: { summary: 'P1' },
          service: { summary: 'api' },
          html_url: 'https://pagerduty.example/incidents/PGR0VU2',
        },
      },
    },
    reads: { name: 'Checkout API down in eu-west', severity: 'critical', labels: { service: 'api' } },
  },
  'pagerduty-events-v2': {
    body: {
      event_action: 'resolve',
      dedup_key: 'srv01/HTTP',
      payload: {
        summary: 'Ping on srv01 is slow',
        severity: 'critical',
        source: 'srv01',
        custom_details: { ms: 812 },
      },
    },
    reads: {
      name: 'Ping on srv01 is slow',
      severity: 'critical',
      state: 'resolved',
      labels: { source: 'srv01' },
    },
    words: '812',
  },
  'opsgenie-webhook': {
    body: {
      action: 'Create',
      alert: {
        alertId: 'x',
        message: 'Payments fail',
        priority: 'P1',
        createdAt: 1767607200123,
        details: { zone: 'a' },
      },
    },
    reads: {
      name: 'Payments fail',
      severity: 'critical',
      startsAt: '2026-01-05T10:00:00.123Z',
      labels: { zone: 'a' },
    },
  },
  'sentry-issue-alert': {
    body: {
      action: 'triggered',
      data: {
        event: {
          title: 'TypeError: x is undefined',
          level: 'fatal',
          culprit: 'checkout',
          issue_id: '1',
          environment: 'prod',
        },
      },
    },
    reads: { name: 'TypeError: x is undefined', severity: 'critical', labels: { environment: 'prod' } },
  },
  'sentry-issue': {
    body: {
      action: 'resolved',
      data: { issue: { id: '1', title: 'Timeout in payments', level: 'error', status: 'resolved' } },
    },
    reads: { name: 'Timeout in payments', severity: 'warning', state: 'resolved' },
  },
  'sentry-metric-alert': {
    body: {
      action: 'critical',
      data: {
        metric_alert: { id: '4' },
        description_title: 'Critical: Too many errors',
        description_text: '10 events in 5 minutes',
      },
    },
    reads: { name: 'Critical: Too many errors', severity: 'critical', state: 'firing' },
    words: '10 events in 5 minutes',
  },
  'cloudwatch-sns': {
    body: {
      Type: 'Notification',
      Subject: 'ALARM: "HighCPU" in EU (Ireland)',
      Message: JSON.stringify({
        AlarmName: 'HighCPU',
        NewStateValue: 'ALARM',
        NewStateReason: 'Threshold Crossed: 99.0',
      }),
    },
    reads: { name: 'HighCPU', state: 'firing', summary: 'Threshold Crossed: 99.0' },
    words: 'Threshold Crossed',
  },
  'cloudwatch-alarm': {
    body: {
      AlarmName: 'HighCPU',
      NewStateValue: 'OK',
      NewStateReason: 'below',
      Region: 'EU (Ireland)',
      Trigger: { MetricName: 'CPU' },
    },
    reads: { name: 'HighCPU', state: 'resolved', labels: { region: 'EU (Ireland)', metric: 'CPU' } },
  },
  'cloudwatch-event': {
    body: {
      source: 'aws.cloudwatch',
      region: 'eu-west-1',
      detail: { alarmName: 'HighCPU', state: { value: 'INSUFFICIENT_DATA', reason: 'no datapoints' } },
    },
    reads: { name: 'HighCPU', state: 'no-data' },
    words: 'no datapoints',
  },
  guardduty: {
    body: {
      source: 'aws.guardduty',
      'detail-type': 'GuardDuty Finding',
      region: 'eu-west-1',
      detail: {
        id: 'f1b2',
        accountId: '111122223333',
        region: 'eu-west-1',
        type: 'Backdoor:EC2/C&CActivity.B',
        severity: 8.0,
        title: 'Instance i-1 queries a known command server',
        description: 'EC2 instance i-1 queries a domain of a command server.',
        service: { eventFirstSeen: '2026-01-05T10:00:00Z', count: 3 },
      },
    },
    reads: {
      name: 'Instance i-1 queries a known command server',
      severity: 'warning',
      startsAt: '2026-01-05T10:00:00Z',
      labels: { region: 'eu-west-1', account: '111122223333' },
    },
  },
  'aws-health': {
    body: {
      source: 'aws.health',
      'detail-type': 'AWS Health Event',
      detail: {
        eventArn: 'arn:aws:health:eu-west-1::event/EC2/AWS_EC2_OPERATIONAL_ISSUE/1',
        service: 'EC2',
        eventTypeCode: 'AWS_EC2_OPERATIONAL_ISSUE',
        eventTypeCategory: 'issue',
        eventRegion: 'eu-west-1',
        statusCode: 'open',
        startTime: 'Mon, 5 Jan 2026 10:00:00 GMT',
        eventDescription: [{ language: 'en_US', latestDescription: 'Launches of instances are delayed.' }],
      },
    },
    reads: {
      name: 'AWS_EC2_OPERATIONAL_ISSUE',
      state: 'firing',
      summary: 'Launches of instances are delayed.',
      labels: { service: 'EC2', region: 'eu-west-1' },
    },
  },
  wazuh: {
    body: {
      timestamp: '2026-01-05T10:00:00.000+0000',
      rule: {
        level: 15,
        description: 'Rootkit found by file integrity check',
        id: '100210',
        groups: ['rootcheck'],
      },
      agent: { id: '007', name: 'web-2', ip: '10.0.0.7' },
      full_log: 'Rootkit "x" detected by the presence of file /tmp/.x',
    },
    reads: { name: 'Rootkit found by file integrity check', severity: 'critical', labels: { host: 'web-2' } },
  },
  rollbar: {
    body: {
      event_name: 'new_item',
      data: {
        item: {
          id: 272505123,
          title: 'TypeError: cart is null',
          level: 40,
          environment: 'production',
          status: 1,
        },
        url: 'https://rollbar.example/i/1',
      },
    },
    reads: {
      name: 'TypeError: cart is null',
      severity: 'warning',
      labels: { environment: 'production' },
      links: ['https://rollbar.example/i/1'],
    },
  },
  'statuspage-incident': {
    body: {
      page: { id: 'p1', status_indicator: 'critical', status_description: 'Major outage' },
      incident: {
        id: 'lbkhbwn21v5q',
        name: 'Uploads fail',
        status: 'investigating',
        impact: 'critical',
        created_at: '2026-01-05T10:00:00Z',
        shortlink: 'https://stspg.example/1',
        incident_updates: [{ body: 'We are looking into failed uploads.' }],
      },
    },
    reads: {
      name: 'Uploads fail',
      severity: 'critical',
      state: 'firing',
      links: ['https://stspg.example/1'],
    },
  },
  'kubernetes-event': {
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'cart-5f.17', namespace: 'shop' },
      involvedObject: { kind: 'Pod', name: 'cart-5f', namespace: 'shop' },
      reason: 'FailedScheduling',
      message: '0/3 nodes are available: 3 Insufficient memory.',
      source: { component: 'default-scheduler' },
      type: 'Warning',
      firstTimestamp: '2026-01-05T10:00:00Z',
      count: 4,
    },
    reads: {
      name: 'FailedScheduling',
      severity: 'warning',
      summary: '0/3 nodes are available: 3 Insufficient memory.',
      labels: { namespace: 'shop', kind: 'Pod', resource: 'cart-5f' },
    },
  },
  'kubernetes-event-v1': {
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: { kind: 'Node', name: 'node-4' },
      reason: 'NodeNotReady',
      note: 'Node node-4 status is now: NodeNotReady',
      type: 'Warning',
      eventTime: '2026-01-05T10:00:00.000000Z',
    },
    reads: { name: 'NodeNotReady', severity: 'warning', labels: { kind: 'Node', resource: 'node-4' } },
  },
  'azure-monitor-metric': {
    body: {
      schemaId: 'AzureMonitorMetricAlert',
      data: {
        version: '2.0',
        status: 'Activated',
        context: {
          id: '/subscriptions/1/providers/Microsoft.Insights/metricAlerts/Latency',
          name: 'Latency',
          description: 'Latency of the gateway is high',
          severity: '1',
          timestamp: '2026-01-05T10:00:00Z',
          resourceName: 'gateway-1',
          portalLink: 'https://portal.example/1',
        },
      },
    },
    reads: { name: 'Latency', severity: 'critical', state: 'firing', labels: { target: 'gateway-1' } },
  },
  'azure-monitor': {
    body: {
      schemaId: 'azureMonitorCommonAlertSchema',
      data: {
        essentials: {
          alertRule: 'CPU',
          severity: 'Sev1',
          monitorCondition: 'Resolved',
          firedDateTime: '2026-01-05T10:00:00Z',
        },
      },
    },
    reads: { name: 'CPU', severity: 'critical', state: 'resolved' },
  },
  'google-cloud-monitoring': {
    body: {
      incident: {
        incident_id: '0.abc',
        policy_name: 'Latency',
        state: 'open',
        severity: 'CRITICAL',
        summary: 'above 2 s',
        started_at: 1767607200,
      },
    },
    reads: { name: 'Latency', severity: 'critical', state: 'firing', startsAt: '2026-01-05T10:00:00.000Z' },
  },
  datadog: {
    body: {
      id: '7001',
      title: '[Triggered on {host:db-1}] CPU is high',
      body: 'CPU over 95 % for 10 m on db-1, checkout answers 503',
      alert_type: 'error',
      priority: 'P1',
    },
    reads: { name: '[Triggered on {host:db-1}] CPU is high', severity: 'critical' },
    words: 'checkout answers 503',
  },
  zabbix: {
    body: {
      trigger_id: '1',
      event_id: '2',
      event_name: 'Database is down',
      event_nseverity: '5',
      event_status: 'PROBLEM',
      host_name: 'db-4',
    },
    reads: { name: 'Database is down', severity: 'critical', state: 'firing', labels: { host: 'db-4' } },
  },
  nagios: {
    body: {
      NOTIFICATIONTYPE: 'RECOVERY',
      HOSTNAME: 'web-2',
      SERVICEDESC: 'HTTP',
      SERVICESTATE: 'OK',
      SERVICEOUTPUT: 'HTTP OK - was CRITICAL',
    },
    reads: { name: 'HTTP', state: 'resolved', labels: { host: 'web-2' } },
  },
  'servicenow-incident': {
    body: {
      number: 'INC0010001',
      short_description: 'Mail is down',
      priority: '1 - Critical',
      state: 'New',
      cmdb_ci: 'mail-1',
    },
    reads: { name: 'Mail is down', severity: 'critical', labels: { configuration_item: 'mail-1' } },
  },
  'servicenow-event': {
    body: { message_key: 'k', node: 'db-1', metric_name: 'Disk', severity: '1', description: 'full' },
    reads: { name: 'Disk', severity: 'critical', labels: { node: 'db-1' } },
  },
  'monitored-alert': {
    body: {
      labels: { alertname: 'DiskUsage', severity: 'critical', replica: 2 },
      annotations: {},
      status: { state: 'active', silencedBy: [] },
      startsAt: '2026-01-05T10:00:00Z',
      valueString: "[ var='A' value=97.31 ]",
      values: { A: 97.31 },
      dashboardURL: 'https://g.example/d/1',
    },
    reads: {
      name: 'DiskUsage',
      severity: 'critical',
      state: 'firing',
      links: ['https://g.example/d/1'],
      labels: { replica: '2' },
    },
    words: '97.31',
  },
};
