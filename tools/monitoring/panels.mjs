// Panels of the board. A counter has no series before it first counts, so the counters of rare faults have
// `or vector(0)`: a panel without a fault shows 0 instead of "No data".

const perSecond = (series, by) => `sum by (${by}) (rate(${series}[$__rate_interval]))`;
const orZero = (expr) => `${expr} or vector(0)`;
const quantile = (q, series, by) =>
  `histogram_quantile(${q}, ${perSecond(series, by === '' ? 'le' : `le, ${by}`)})`;
const sinceStart = (series) => orZero(`sum(increase(${series}[$__range]))`);
const stat = (title, description, expr, more = {}) => ({
  kind: 'stat',
  title,
  description,
  queries: [{ expr, legend: title }],
  ...more,
});
const graph = (title, description, queries, more = {}) => ({
  title,
  description,
  queries: queries.map(([expr, legend]) => ({ expr, legend })),
  ...more,
});

const verdicts = {
  title: 'Verdicts and quality',
  panels: [
    stat('Verdicts', 'Verdicts that were delivered in the range.', sinceStart('casefile_verdicts_total')),
    stat(
      'Degraded',
      'Share of verdicts that lack something, such as a model or a look-up.',
      `(sum(increase(casefile_verdicts_total{degraded="true"}[$__range])) or vector(0)) / sum(increase(casefile_verdicts_total[$__range]))`,
      { unit: 'percentunit' },
    ),
    stat(
      'Open errors',
      'Conditions of severity error that hold now.',
      'sum(casefile_condition{severity="error"})',
    ),
    stat(
      'Open warnings',
      'Conditions of severity warning that hold now.',
      'sum(casefile_condition{severity="warning"})',
    ),
    stat('Unfinished runs', 'Runs that have not ended.', 'sum(casefile_runs_unfinished)'),
    stat('Reviews overdue', 'Verdicts that wait for a person for too long.', 'sum(casefile_reviews_overdue)'),
    graph(
      'Verdicts by kind and disposition',
      'Verdicts per second.',
      [[perSecond('casefile_verdicts_total', 'playbook, disposition'), '{{playbook}} {{disposition}}']],
      { unit: 'ops' },
    ),
    graph(
      'Drafts by method',
      'A growing share of rules means that models do not answer, or that budgets are used up.',
      [[perSecond('casefile_drafts_total', 'method'), '{{method}}']],
      { unit: 'ops' },
    ),
    graph(
      'Fallbacks by reason',
      'Drafts by rules in place of a model.',
      [[orZero(perSecond('casefile_draft_fallbacks_total', 'reason')), '{{reason}}']],
      { unit: 'ops' },
    ),
    graph(
      'Rulings of reviewers',
      'A reviewer that passes everything is no reviewer.',
      [[perSecond('casefile_reviews_total', 'ruling'), '{{ruling}}']],
      { unit: 'ops' },
    ),
    graph(
      'Confidence of drafts',
      'Median by kind.',
      [[quantile(0.5, 'casefile_draft_confidence_bucket', 'playbook'), '{{playbook}}']],
      { unit: 'percentunit' },
    ),
    graph('Tokens of one criterion', 'Mean by model. The target is 6,000.', [
      [
        `${perSecond('casefile_check_tokens_sum', 'model')} / ${perSecond('casefile_check_tokens_count', 'model')}`,
        '{{model}}',
      ],
    ]),
  ],
};

const pipeline = {
  title: 'Pipeline and queues',
  panels: [
    graph(
      'Alerts accepted and refused',
      'Per second. Refused alerts are invalid, or the backlog is full.',
      [
        [perSecond('casefile_alerts_accepted_total', 'playbook'), '{{playbook}}'],
        [orZero(perSecond('casefile_alerts_refused_total', 'reason')), 'refused {{reason}}'],
      ],
      { unit: 'ops' },
    ),
    graph('Jobs by queue and state', 'Waiting jobs that grow need more workers.', [
      ['sum by (queue, state) (casefile_queue_jobs)', '{{queue}} {{state}}'],
    ]),
    graph(
      'Age of the oldest job',
      'From two minutes in a live queue, the condition queue_old holds.',
      [['max by (queue) (casefile_queue_oldest_age_seconds)', '{{queue}}']],
      { unit: 's' },
    ),
    graph(
      'Stage duration, p95',
      'Live work.',
      [[quantile(0.95, 'casefile_stage_duration_seconds_bucket{lane="live"}', 'stage'), '{{stage}}']],
      { unit: 's' },
    ),
    graph(
      'Stages per second',
      'Steps by stage and lane.',
      [[perSecond('casefile_stage_duration_seconds_count', 'stage, lane'), '{{stage}} {{lane}}']],
      { unit: 'ops' },
    ),
    graph(
      'Failed and refused steps',
      'Failed steps are tried again. Refused jobs found their unit already claimed or done.',
      [
        [orZero(perSecond('casefile_stage_failed_total', 'stage')), 'failed {{stage}}'],
        [orZero(perSecond('casefile_stage_refused_total', 'reason')), 'refused {{reason}}'],
      ],
      { unit: 'ops' },
    ),
    graph(
      'Calls of tools',
      'By tool and state.',
      [[orZero(perSecond('casefile_tool_calls_total', 'tool, state')), '{{tool}} {{state}}']],
      { unit: 'ops' },
    ),
    graph(
      'Deliveries to destinations',
      'Requests by destination and outcome.',
      [
        [
          orZero(perSecond('casefile_destination_attempts_total', 'destination, outcome')),
          '{{destination}} {{outcome}}',
        ],
      ],
      { unit: 'ops' },
    ),
    graph('Conditions', 'Is 1 while a condition holds.', [
      ['max by (id, severity) (casefile_condition)', '{{id}} ({{severity}})'],
    ]),
    graph(
      'Requests by service, p95',
      'Time until a request was answered.',
      [[quantile(0.95, 'casefile_http_duration_seconds_bucket', 'service'), '{{service}}']],
      { unit: 's' },
    ),
    graph(
      'Requests that failed',
      'Answers of 500 and above, by route.',
      [
        [
          orZero(perSecond('casefile_http_duration_seconds_count{status=~"5.."}', 'service, route')),
          '{{service}} {{route}}',
        ],
      ],
      { unit: 'reqps' },
    ),
    graph(
      'Event loop',
      'Longest block of the process, p99.',
      [[quantile(0.99, 'casefile_event_loop_lag_seconds_bucket', 'job'), '{{job}}']],
      { unit: 's' },
    ),
  ],
};

const MODEL = 'gen_ai_provider_name, gen_ai_request_model';
const MODEL_LEGEND = '{{gen_ai_provider_name}} {{gen_ai_request_model}}';
const models = {
  title: 'Models, cost and budgets',
  panels: [
    graph(
      'Calls of models',
      'Per second.',
      [[perSecond('gen_ai_client_operation_duration_seconds_count', MODEL), MODEL_LEGEND]],
      { unit: 'ops' },
    ),
    graph(
      'Duration of a call',
      'p95 by model.',
      [[quantile(0.95, 'gen_ai_client_operation_duration_seconds_bucket', MODEL), MODEL_LEGEND]],
      { unit: 's' },
    ),
    graph(
      'Calls that failed',
      'By type of the error.',
      [
        [
          orZero(
            perSecond(
              'gen_ai_client_operation_duration_seconds_count{error_type!=""}',
              'gen_ai_provider_name, error_type',
            ),
          ),
          '{{gen_ai_provider_name}} {{error_type}}',
        ],
      ],
      { unit: 'ops' },
    ),
    graph('Tokens per second', 'By model and type.', [
      [
        perSecond('gen_ai_client_token_usage_sum', 'gen_ai_request_model, gen_ai_token_type'),
        '{{gen_ai_request_model}} {{gen_ai_token_type}}',
      ],
    ]),
    graph(
      'Cost per hour',
      'US dollars by model. Calls without a known price are not included.',
      [
        [
          orZero(`3600 * ${perSecond('casefile_model_cost_usd_total', 'gen_ai_request_model')}`),
          '{{gen_ai_request_model}}',
        ],
      ],
      { unit: 'currencyUSD' },
    ),
    stat(
      'Cost in the range',
      'US dollars. Calls without a known price are not included.',
      sinceStart('casefile_model_cost_usd_total'),
      { unit: 'currencyUSD' },
    ),
    stat('Budget warnings', 'Budgets that reached their warning.', sinceStart('casefile_budget_soft_total')),
    graph(
      'Calls that a budget refused',
      'By scope of the budget.',
      [[orZero(perSecond('casefile_budget_refused_total', 'scope')), '{{scope}}']],
      { unit: 'ops' },
    ),
    graph(
      'Circuits of providers',
      '0 closed, 1 half open, 2 open. A provider appears after its first failure.',
      [[orZero('max by (provider) (casefile_provider_circuit)'), '{{provider}}']],
    ),
    graph(
      'Calls that another provider answered',
      'From one provider to the next.',
      [[orZero(perSecond('casefile_provider_fallback_total', 'from, to')), '{{from}} to {{to}}']],
      { unit: 'ops' },
    ),
  ],
};

/** Rows of the board from top to bottom. */
export const rows = [verdicts, pipeline, models];

/** Returns the query of every panel. */
export function boardQueries() {
  return rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)));
}
