import { metricInfo, prometheusName } from './metric-info.js';
import { ATTRIBUTES, METRICS } from './names.js';

/** Type of a metric with its labels. A series may lack a label: a failed call has an error, but no response. */
export interface MetricSeries {
  type: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
}

const ofType =
  (type: MetricSeries['type']) =>
  (...labels: string[]): MetricSeries => ({ type, labels });
const [counter, gauge, histogram] = [ofType('counter'), ofType('gauge'), ofType('histogram')];

const CHECK = ['prompt_id', 'model'];
const DRAFT = ['playbook', 'provider', 'prompt_id'];
const MODEL = [ATTRIBUTES.operation, ATTRIBUTES.provider, ATTRIBUTES.requestModel];

const SERIES: Record<keyof typeof METRICS, MetricSeries> = {
  stageDuration: histogram('stage', 'lane'),
  stageRefused: counter('stage', 'reason'),
  stageFailed: counter('stage'),
  stageStale: counter('stage'),
  stepsReplayed: counter('stage'),
  stepsPaid: counter('provider'),
  toolCalls: counter('tool', 'state'),
  alertsAccepted: counter('playbook', 'joined'),
  alertsRefused: counter('reason'),
  alertsIgnored: counter('playbook', 'reason'),
  verdicts: counter('playbook', 'disposition', 'method', 'degraded', 'degradedBy', 'experiment', 'arm'),
  destinationAttempts: counter('destination', 'outcome'),
  armCases: counter('experiment', 'arm', 'fault'),
  stepBacks: counter('experiment', 'arm', 'cause'),
  drafts: counter(...DRAFT, 'method'),
  draftConfidence: histogram(...DRAFT, 'method'),
  draftFallbacks: counter(...DRAFT, 'reason'),
  unreadableAnswers: counter(...DRAFT),
  reviews: counter('playbook', 'reviewer', 'ruling', 'prompt_id'),
  checkIterations: histogram(...CHECK),
  checkTokens: histogram(...CHECK),
  checkCost: histogram(...CHECK),
  checkForcedEnds: counter(...CHECK),
  checkAbstentions: counter(...CHECK, 'reason'),
  checkRefutedCitations: counter(...CHECK),
  checkCachedCalls: counter(...CHECK),
  sweeperNudges: counter('why'),
  storeFlushes: counter('operation'),
  storeFlushedItems: counter('operation'),
  queueJobs: gauge('queue', 'state'),
  queueOldest: gauge('queue'),
  runsUnfinished: gauge(),
  circuitOpen: gauge('tool'),
  providerCircuit: gauge('provider'),
  condition: gauge('id', 'severity'),
  reviewsOverdue: gauge('playbook'),
  providerFallback: counter('from', 'to'),
  budgetSoft: counter(),
  budgetRefused: counter('scope'),
  httpDuration: histogram('service', 'method', 'route', 'status'),
  eventLoopLag: histogram(),
  replicaLag: gauge(),
  buildInfo: gauge('version', 'node'),
  modelDuration: histogram(...MODEL, ATTRIBUTES.responseModel, ATTRIBUTES.errorType),
  modelTokens: histogram(...MODEL, ATTRIBUTES.tokenType),
  modelCost: counter(...MODEL),
};

const SUFFIXES: Record<MetricSeries['type'], readonly string[]> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

/** Returns the type of a metric, and its name, series and labels as Prometheus has them (labels without `le`). */
export function metricSeries(key: keyof typeof METRICS): MetricSeries & { name: string; series: string[] } {
  const { type, labels } = SERIES[key];
  const name = prometheusName(METRICS[key], metricInfo(METRICS[key]).unit ?? '');
  return {
    type,
    name,
    series: SUFFIXES[type].map((suffix) => `${name}${suffix}`),
    labels: labels.map((label) => label.replaceAll('.', '_')),
  };
}
