import { RECORDED_KUBERNETES } from './recorded-kubernetes.js';
import { RECORDED_OPERATIONS } from './recorded-operations.js';
import type { RecordedLookUp } from './recorded-look-up.js';

/** Look-ups by source and request. */
export const RECORDED: Readonly<Record<string, Readonly<Record<string, RecordedLookUp>>>> = {
  prometheus: {
    query: {
      documentation: 'https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries',
      args: { expr: 'up{job="node"}', at: '2015-07-01T20:10:51.781Z' },
      line: 'GET /api/v1/query?query=up%7Bjob%3D%22node%22%7D&time=1435781451.781',
      answer: {
        status: 'success',
        data: {
          resultType: 'vector',
          result: [{ metric: { __name__: 'up', job: 'node' }, value: [1_435_781_451.781, '1'] }],
        },
      },
      finds: '2015-07-01T20:10:51.781Z up{job="node"} = 1',
    },
    range: {
      documentation: 'https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries',
      args: { expr: 'up', start: '2015-07-01T20:10:30Z', end: '2015-07-01T20:11:00Z', step: '15s' },
      line: 'GET /api/v1/query_range?query=up&start=1435781430&end=1435781460&step=15s',
      answer: {
        status: 'success',
        data: {
          resultType: 'matrix',
          result: [
            {
              metric: { __name__: 'lag_seconds' },
              values: [
                [1_435_781_430, '1'],
                [1_435_781_445, '9'],
              ],
            },
          ],
        },
      },
      finds: '2015-07-01T20:10:30Z lag_seconds{} = 1 s\n2015-07-01T20:10:45Z lag_seconds{} = 9 s',
    },
    alerts: {
      documentation: 'https://prometheus.io/docs/prometheus/latest/querying/api/#alerts',
      args: {},
      line: 'GET /api/v1/alerts',
      answer: {
        status: 'success',
        data: {
          alerts: [
            {
              activeAt: '2018-07-04T20:27:12.60602144+02:00',
              annotations: { summary: 'Errors of the shop' },
              labels: { alertname: 'my-alert' },
              state: 'firing',
              value: '1e+00',
            },
          ],
        },
      },
      finds: '2018-07-04T18:27:12.606Z {alertname="my-alert"} firing, value 1e+00: Errors of the shop',
    },
  },
  alertmanager: {
    alerts: {
      documentation: 'https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml',
      args: { filter: 'service="shop"' },
      line: 'GET /api/v2/alerts?filter=service%3D%22shop%22',
      answer: [
        {
          labels: { alertname: 'Errors', service: 'shop' },
          annotations: { summary: 'Many errors' },
          status: { state: 'active', silencedBy: [], inhibitedBy: [] },
          startsAt: '2026-01-05T10:00:00.000Z',
        },
      ],
      finds: '2026-01-05T10:00:00Z {alertname="Errors",service="shop"} active: Many errors',
    },
    silences: {
      documentation: 'https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml',
      args: {},
      line: 'GET /api/v2/silences',
      answer: [
        {
          id: 'a',
          matchers: [{ name: 'service', value: 'shop', isRegex: false }],
          startsAt: '2026-01-05T10:00:00.000Z',
          endsAt: '2026-01-05T12:00:00.000Z',
          createdBy: 'ann',
          comment: 'Upgrade',
          status: { state: 'active' },
        },
      ],
      finds:
        '2026-01-05T10:00:00Z silence of service shop active until 2026-01-05T12:00:00.000Z, by ann: Upgrade',
    },
  },
  kubernetes: RECORDED_KUBERNETES,
  ...RECORDED_OPERATIONS,
  github: {
    commits: {
      documentation: 'https://docs.github.com/en/rest/commits/commits#list-commits',
      args: { owner: 'octo', repository: 'shop', path: 'src/pay.ts', since: '2026-01-05T00:00:00Z' },
      line: 'GET /repos/octo/shop/commits?path=src%2Fpay.ts&since=2026-01-05T00%3A00%3A00.000Z&per_page=50',
      answer: [
        {
          sha: '7638417db6d5',
          commit: {
            author: { name: 'Monalisa' },
            committer: { date: '2026-01-05T09:50:00Z' },
            message: 'Raise the pool\n\nto 80 workers',
          },
        },
      ],
      finds: '2026-01-05T09:50:00Z commit 7638417db6d5 by Monalisa: Raise the pool to 80 workers',
    },
    releases: {
      documentation: 'https://docs.github.com/en/rest/releases/releases#list-releases',
      args: { owner: 'octo', repository: 'shop' },
      line: 'GET /repos/octo/shop/releases?per_page=30',
      answer: [
        {
          tag_name: 'v2.1.0',
          name: 'Pay later',
          published_at: '2026-01-05T09:55:00Z',
          author: { login: 'mona' },
          body: 'New payments',
        },
      ],
      finds: '2026-01-05T09:55:00Z release v2.1.0 Pay later, by mona: New payments',
    },
    deployments: {
      documentation: 'https://docs.github.com/en/rest/deployments/deployments#list-deployments',
      args: { owner: 'octo', repository: 'shop', environment: 'production' },
      line: 'GET /repos/octo/shop/deployments?environment=production&per_page=30',
      answer: [
        {
          sha: 'a84d88e7554f',
          ref: 'v2.1.0',
          environment: 'production',
          description: 'Nightly',
          creator: { login: 'mona' },
          created_at: '2026-01-05T09:58:00Z',
        },
      ],
      finds: '2026-01-05T09:58:00Z deployed a84d88e7554f of v2.1.0 to production, by mona: Nightly',
    },
  },
  gitlab: {
    commits: {
      documentation: 'https://docs.gitlab.com/api/commits/',
      args: { project: 'team/shop', branch: 'main' },
      line: 'GET /api/v4/projects/team%2Fshop/repository/commits?ref_name=main&per_page=50',
      answer: [
        {
          id: 'ed899a2f',
          author_name: 'Ann',
          message: 'Replace the timeout',
          committed_date: '2026-01-05T11:50:08.000+02:00',
        },
      ],
      finds: '2026-01-05T09:50:08Z commit ed899a2f by Ann: Replace the timeout',
    },
    releases: {
      documentation: 'https://docs.gitlab.com/api/releases/',
      args: { project: 'team/shop' },
      line: 'GET /api/v4/projects/team%2Fshop/releases?per_page=30',
      answer: [
        { tag_name: 'v2', name: 'Two', description: 'Faster', released_at: '2026-01-05T09:00:00.000Z' },
      ],
      finds: '2026-01-05T09:00:00Z release v2 Two: Faster',
    },
    deployments: {
      documentation: 'https://docs.gitlab.com/api/deployments/',
      args: { project: 'team/shop', environment: 'production' },
      line: 'GET /api/v4/projects/team%2Fshop/deployments?environment=production&order_by=created_at&sort=desc&per_page=30',
      answer: [
        {
          created_at: '2026-01-05T09:58:00.000Z',
          sha: 'a91957a8',
          ref: 'main',
          status: 'success',
          environment: { name: 'production' },
          user: { username: 'ann' },
        },
      ],
      finds: '2026-01-05T09:58:00Z deployed a91957a8 of main to production, success, by ann',
    },
  },
  loki: {
    logs: {
      documentation:
        'https://grafana.com/docs/loki/latest/reference/loki-http-api/#query-logs-within-a-range-of-time',
      args: { query: '{app="shop"}', start: '2026-01-05T09:00:00Z', end: '2026-01-05T10:00:00Z' },
      line: 'GET /loki/api/v1/query_range?query=%7Bapp%3D%22shop%22%7D&start=1767603600000000000&end=1767607200000000000&limit=100&direction=backward',
      answer: {
        status: 'success',
        data: {
          resultType: 'streams',
          result: [
            {
              stream: { app: 'shop' },
              values: [
                ['1767607199000000000', 'level=error pool exhausted'],
                ['1767607100000000000', 'ok'],
              ],
            },
          ],
        },
      },
      finds:
        '2026-01-05T09:59:59Z {app="shop"} level=error pool exhausted\n2026-01-05T09:58:20Z {app="shop"} ok',
    },
    metrics: {
      documentation:
        'https://grafana.com/docs/loki/latest/reference/loki-http-api/#query-logs-at-a-single-point-in-time',
      args: { query: 'sum(rate({app="shop"}[5m]))', at: '2026-01-05T10:00:00Z' },
      line: 'GET /loki/api/v1/query?query=sum%28rate%28%7Bapp%3D%22shop%22%7D%5B5m%5D%29%29&time=1767607200000000000',
      answer: {
        status: 'success',
        data: { resultType: 'vector', result: [{ metric: {}, value: [1_767_607_200, '12.5'] }] },
      },
      finds: '2026-01-05T10:00:00Z {} = 12.5',
    },
    labels: {
      documentation: 'https://grafana.com/docs/loki/latest/reference/loki-http-api/#query-labels',
      args: {},
      line: 'GET /loki/api/v1/labels',
      answer: { status: 'success', data: ['app', 'namespace'] },
      finds: 'label app\nlabel namespace',
    },
  },
  elasticsearch: {
    search: {
      documentation: 'https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search',
      args: {
        index: 'logs-shop',
        query: 'level:error',
        start: '2026-01-05T09:00:00Z',
        end: '2026-01-05T10:00:00Z',
      },
      line: 'POST /logs-shop/_search',
      answer: {
        took: 5,
        timed_out: false,
        _shards: { total: 1, successful: 1, failed: 0 },
        hits: {
          hits: [
            {
              _index: 'logs-shop-1',
              _source: {
                '@timestamp': '2026-01-05T09:59:00Z',
                message: 'pool exhausted',
                service: { name: 'shop' },
                log: { level: 'error' },
              },
            },
          ],
        },
      },
      finds: '2026-01-05T09:59:00Z logs-shop-1 shop error pool exhausted',
    },
    health: {
      documentation: 'https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-cluster-health',
      args: {},
      line: 'GET /_cluster/health',
      answer: { cluster_name: 'logs', status: 'yellow', number_of_nodes: 1, unassigned_shards: 2 },
      finds: 'cluster logs status yellow, 1 nodes, 2 shards unassigned',
    },
  },
  grafana: {
    annotations: {
      documentation:
        'https://grafana.com/docs/grafana/latest/developers/http_api/annotations/#find-annotations',
      args: { start: '2026-01-05T09:00:00Z', end: '2026-01-05T10:00:00Z', tag: 'deployment' },
      line: 'GET /api/annotations?from=1767603600000&to=1767607200000&tags=deployment&limit=100',
      answer: [
        {
          id: 1,
          alertName: '',
          newState: '',
          time: 1_767_607_080_000,
          tags: ['deployment'],
          text: 'shop v2.1.0',
        },
      ],
      finds: '2026-01-05T09:58:00Z deployment shop v2.1.0',
    },
    dashboards: {
      documentation: 'https://grafana.com/docs/grafana/latest/developers/http_api/folder_dashboard_search/',
      args: { title: 'shop' },
      line: 'GET /api/search?type=dash-db&query=shop&limit=50',
      answer: [{ id: 1, title: 'Shop', url: '/d/abc/shop', tags: ['prod'] }],
      finds: 'dashboard Shop /d/abc/shop prod',
    },
  },
  searxng: {
    search: {
      documentation: 'https://docs.searxng.org/dev/search_api.html',
      args: { query: 'pool exhausted', within: 'year' },
      line: 'GET /search?q=pool+exhausted&time_range=year&format=json',
      answer: {
        query: 'pool exhausted',
        results: [
          {
            url: 'https://docs.example/pool',
            title: 'Pools',
            content: 'Raise the limit',
            publishedDate: '2025-11-02T00:00:00',
          },
        ],
      },
      finds: [
        {
          url: 'https://docs.example/pool',
          title: 'Pools',
          text: 'Raise the limit',
          published: '2025-11-02T00:00:00',
        },
      ],
    },
  },
};
