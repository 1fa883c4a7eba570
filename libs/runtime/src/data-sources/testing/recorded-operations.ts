import type { RecordedLookUp } from './recorded-look-up.js';

/** Look-ups of hosted services: errors, monitors, shifts and a web search, by source and request. */
export const RECORDED_OPERATIONS: Readonly<Record<string, Readonly<Record<string, RecordedLookUp>>>> = {
  tavily: {
    search: {
      documentation: 'https://docs.tavily.com/api-reference/endpoint/search',
      args: { query: 'pool exhausted', within: 'year' },
      line: 'POST /search',
      answer: {
        query: 'pool exhausted',
        answer: null,
        images: [],
        results: [
          {
            title: 'Pools',
            url: 'https://docs.example/pool',
            content: 'Raise the limit',
            score: 0.81,
            raw_content: null,
            published_date: 'Sun, 02 Nov 2025 00:00:00 GMT',
          },
        ],
        response_time: 1.67,
      },
      finds: [
        {
          url: 'https://docs.example/pool',
          title: 'Pools',
          text: 'Raise the limit',
          published: 'Sun, 02 Nov 2025 00:00:00 GMT',
        },
      ],
    },
  },
  sentry: {
    issues: {
      documentation: 'https://docs.sentry.io/api/events/list-an-organizations-issues/',
      args: {
        organization: 'shop',
        environment: 'production',
        start: '2026-01-05T09:00:00Z',
        end: '2026-01-05T10:00:00Z',
      },
      line: 'GET /api/0/organizations/shop/issues/?query=is%3Aunresolved&environment=production&start=2026-01-05T09%3A00%3A00.000Z&end=2026-01-05T10%3A00%3A00.000Z&sort=date&limit=50',
      answer: [
        {
          id: '1',
          shortId: 'PAY-7',
          title: 'PoolExhausted: no connection in 5 s',
          culprit: 'pay.checkout in charge',
          level: 'error',
          status: 'unresolved',
          count: '473',
          userCount: 91,
          firstSeen: '2026-01-05T09:51:00Z',
          lastSeen: '2026-01-05T09:59:30Z',
          project: { id: '2', name: 'Pay', slug: 'pay' },
          metadata: { title: 'PoolExhausted' },
          assignedTo: null,
        },
      ],
      finds:
        '2026-01-05T09:59:30Z events of PAY-7 in pay = 473 error, unresolved, since 2026-01-05T09:51:00Z, 91 users: PoolExhausted: no connection in 5 s at pay.checkout in charge',
    },
    releases: {
      documentation: 'https://docs.sentry.io/api/releases/list-an-organizations-releases/',
      args: { organization: 'shop' },
      line: 'GET /api/0/organizations/shop/releases/?per_page=30',
      answer: [
        {
          version: 'pay@2.1.0',
          shortVersion: '2.1.0',
          ref: '6ba09a7c',
          dateCreated: '2026-01-05T09:40:00.033Z',
          dateReleased: null,
          commitCount: 3,
          newGroups: 1,
          projects: [{ name: 'Pay', slug: 'pay' }],
          lastDeploy: { environment: 'production', dateFinished: '2026-01-05T09:48:00Z' },
        },
      ],
      finds:
        '2026-01-05T09:40:00.033Z release 2.1.0 of pay: 3 commits, 1 new issues, deployed to production 2026-01-05T09:48:00Z',
    },
  },
  pagerduty: {
    'on-call': {
      documentation: 'https://developer.pagerduty.com/api-reference/3a6b910f11050-list-all-of-the-on-calls',
      args: { policy: 'PT20YPA' },
      line: 'GET /oncalls?escalation_policy_ids%5B%5D=PT20YPA&earliest=true&limit=100',
      answer: {
        oncalls: [
          {
            user: { id: 'PT23IWX', type: 'user_reference', summary: 'Ann Wright' },
            schedule: { id: 'PI7DH85', type: 'schedule_reference', summary: 'Daily rotation' },
            escalation_policy: { id: 'PT20YPA', type: 'escalation_policy_reference', summary: 'Payments' },
            escalation_level: 1,
            start: '2026-01-05T08:00:00-05:00',
            end: '2026-01-06T08:00:00-05:00',
          },
          {
            user: { id: 'PXPGF42', type: 'user_reference', summary: 'Bo Lee' },
            schedule: null,
            escalation_policy: { id: 'PT20YPA', type: 'escalation_policy_reference', summary: 'Payments' },
            escalation_level: 2,
            start: null,
            end: null,
          },
        ],
        limit: 100,
        offset: 0,
        more: false,
      },
      finds:
        '2026-01-05T13:00:00Z on call for Payments, level 1 Ann Wright (Daily rotation) until 2026-01-06T08:00:00-05:00\non call for Payments, level 2 Bo Lee () until',
    },
    incidents: {
      documentation: 'https://github.com/PagerDuty/api-schema/blob/main/reference/REST/openapiv3.json',
      args: { since: '2026-01-05T00:00:00Z', until: '2026-01-06T00:00:00Z', status: 'resolved' },
      line: 'GET /incidents?since=2026-01-05T00%3A00%3A00.000Z&until=2026-01-06T00%3A00%3A00.000Z&statuses%5B%5D=resolved&sort_by=created_at%3Adesc&limit=100',
      answer: {
        incidents: [
          {
            id: 'PT4KHLK',
            type: 'incident',
            incident_number: 1234,
            title: 'Payments fail',
            created_at: '2026-01-05T09:52:00Z',
            status: 'resolved',
            urgency: 'high',
            service: { id: 'PIJ90N7', type: 'service_reference', summary: 'pay' },
            priority: { id: 'P53ZZH5', type: 'priority_reference', summary: 'P2' },
            resolved_at: '2026-01-05T10:20:00Z',
          },
        ],
        limit: 100,
        more: false,
      },
      finds:
        '2026-01-05T09:52:00Z incident PT4KHLK of pay resolved, urgency high, priority P2: Payments fail; resolved 2026-01-05T10:20:00Z',
    },
    'past-incidents': {
      documentation: 'https://github.com/PagerDuty/api-schema/blob/main/reference/REST/openapiv3.json',
      args: { incident: 'PT4KHLK' },
      line: 'GET /incidents/PT4KHLK/past_incidents?limit=20',
      answer: {
        past_incidents: [
          {
            incident: { id: 'PFBE9I2', created_at: '2025-11-04T16:08:15Z', title: 'Payments fail' },
            score: 46.8249,
          },
        ],
        total: 1,
        limit: 20,
      },
      finds: '2025-11-04T16:08:15Z incident PFBE9I2 similar with a score of 46.8249: Payments fail',
    },
    changes: {
      documentation: 'https://github.com/PagerDuty/api-schema/blob/main/reference/REST/openapiv3.json',
      args: { start: '2026-01-05T00:00:00Z', end: '2026-01-06T00:00:00Z' },
      line: 'GET /change_events?since=2026-01-05T00%3A00%3A00.000Z&until=2026-01-06T00%3A00%3A00.000Z&limit=100',
      answer: {
        change_events: [
          {
            id: '01BBYA6PEVW6A852BUO6QYUE7O',
            type: 'change_event',
            summary: 'Deployed pay 2.1.0',
            timestamp: '2026-01-05T09:48:00Z',
            source: 'build-pipeline',
            links: [{ href: 'https://build.example/2', text: 'Build' }],
          },
        ],
        more: false,
      },
      finds: '2026-01-05T09:48:00Z change by build-pipeline: Deployed pay 2.1.0 https://build.example/2',
    },
  },
  datadog: {
    monitors: {
      documentation: 'https://docs.datadoghq.com/api/latest/monitors/get-all-monitors/',
      args: { monitor_tags: 'service:pay' },
      line: 'GET /api/v1/monitor?monitor_tags=service%3Apay&page=0&page_size=100',
      answer: [
        {
          id: 91_879_684,
          name: 'Errors of payments',
          type: 'metric alert',
          query: 'avg(last_5m):sum:pay.errors{*} > 5',
          overall_state: 'Alert',
          overall_state_modified: '2026-01-05T09:52:00.000Z',
          created: '2025-01-01T00:00:00.000Z',
          modified: '2025-06-01T00:00:00.000Z',
          tags: ['service:pay'],
          message: 'Page the team.',
        },
      ],
      finds:
        '2026-01-05T09:52:00Z monitor Errors of payments Alert, metric alert: avg(last_5m):sum:pay.errors{*} > 5 service:pay',
    },
    events: {
      documentation: 'https://docs.datadoghq.com/api/latest/events/get-a-list-of-events/',
      args: { start: '2026-01-05T09:00:00Z', end: '2026-01-05T10:00:00Z', tags: 'service:pay' },
      line: 'GET /api/v1/events?start=1767603600&end=1767607200&tags=service%3Apay&unaggregated=true',
      answer: {
        events: [
          {
            id: 1,
            alert_type: 'info',
            date_happened: 1_767_606_480,
            host: 'build-1',
            priority: 'normal',
            source_type_name: 'jenkins',
            tags: ['service:pay'],
            title: 'Deployed pay 2.1.0',
            text: 'by Ann',
          },
        ],
        status: 'ok',
      },
      finds: '2026-01-05T09:48:00Z info event of jenkins on build-1: Deployed pay 2.1.0 by Ann service:pay',
    },
    metrics: {
      documentation: 'https://docs.datadoghq.com/api/latest/metrics/query-timeseries-points/',
      args: {
        query: 'avg:pay.latency{*}',
        start: '2026-01-05T09:00:00Z',
        end: '2026-01-05T10:00:00Z',
      },
      line: 'GET /api/v1/query?from=1767603600&to=1767607200&query=avg%3Apay.latency%7B*%7D',
      answer: {
        status: 'ok',
        series: [
          {
            metric: 'pay.latency',
            scope: 'service:pay',
            expression: 'avg:pay.latency{*}',
            interval: 60,
            unit: [{ family: 'time', name: 'second', short_name: 's', scale_factor: 1 }, null],
            pointlist: [
              [1_767_606_480_000, 0.2],
              [1_767_606_540_000, 4.5],
            ],
          },
        ],
        from_date: 1_767_603_600_000,
        to_date: 1_767_607_200_000,
      },
      finds:
        '2026-01-05T09:48:00Z pay.latency of service:pay = 0.2 s\n2026-01-05T09:49:00Z pay.latency of service:pay = 4.5 s',
    },
  },
};
