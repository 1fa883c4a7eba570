import { METRICS } from './names.js';

/** Description of a metric, and its unit in OpenTelemetry's form: UCUM, or the counted things in braces. */
export interface MetricInfo {
  description: string;
  unit?: string;
}

type MetricKey = keyof typeof METRICS;

const INFO: Record<MetricKey, MetricInfo> = {
  stageDuration: { description: 'Time that a worker took for a step of a stage.', unit: 's' },
  stageRefused: { description: 'Jobs whose unit could not be claimed, by reason.', unit: '{job}' },
  stageFailed: { description: 'Steps of stages that failed.', unit: '{step}' },
  stageStale: { description: 'Writes that were refused because the lease had passed on.', unit: '{write}' },
  stepsReplayed: { description: 'Paid steps that were read from the record after a crash.', unit: '{step}' },
  stepsPaid: { description: 'Calls of models that were made.', unit: '{call}' },
  toolCalls: { description: 'Calls of tools that ended, by tool and state.', unit: '{call}' },
  alertsAccepted: { description: 'Alerts that were accepted.', unit: '{alert}' },
  alertsRefused: { description: 'Alerts that were refused, by reason.', unit: '{alert}' },
  alertsIgnored: { description: 'Alerts that opened nothing, by reason.', unit: '{alert}' },
  verdicts: { description: 'Verdicts that were delivered, by kind and disposition.', unit: '{verdict}' },
  destinationAttempts: {
    description: 'Requests to destinations, by destination and outcome.',
    unit: '{request}',
  },
  armCases: { description: 'Decided runs of arms of experiments, by arm and fault.', unit: '{run}' },
  stepBacks: { description: 'Experiments that stepped back because an arm failed.', unit: '{experiment}' },
  drafts: { description: 'Drafts that were made, by the way they were made.', unit: '{draft}' },
  draftConfidence: { description: 'Confidence of drafts, from 0 to 1.', unit: '1' },
  draftFallbacks: { description: 'Drafts by rules in place of a model, by reason.', unit: '{draft}' },
  unreadableAnswers: { description: 'Answers of models that could not be read.', unit: '{answer}' },
  reviews: { description: 'Reviews of drafts, by ruling.', unit: '{review}' },
  checkIterations: { description: 'Turns of one unit of a check.', unit: '{turn}' },
  checkTokens: { description: 'Tokens of one unit of a check.', unit: '{token}' },
  checkCost: { description: 'Cost of one unit of a check in US dollars.', unit: '{USD}' },
  checkForcedEnds: { description: 'Checks that were made to end.', unit: '{check}' },
  checkAbstentions: { description: 'Checks without an answer, by reason.', unit: '{check}' },
  checkRefutedCitations: { description: 'Citations that the check refuted.', unit: '{citation}' },
  checkCachedCalls: { description: 'Look-ups of checks that an earlier one answered.', unit: '{call}' },
  sweeperNudges: { description: 'Units and tool calls that the sweeper woke, by reason.', unit: '{nudge}' },
  storeFlushes: { description: 'Statements that wrote together what waited.', unit: '{statement}' },
  storeFlushedItems: { description: 'Writes that went with those statements.', unit: '{write}' },
  queueJobs: { description: 'Jobs in the queues, by queue and state.', unit: '{job}' },
  queueOldest: { description: 'Age of the oldest waiting job of a queue.', unit: 's' },
  runsUnfinished: { description: 'Runs that have not ended.', unit: '{run}' },
  circuitOpen: { description: 'Circuit of a tool in this process: 0 closed, 1 open or half open.' },
  providerCircuit: { description: 'Circuit of a provider that has failed: 0 closed, 1 half open, 2 open.' },
  reviewsOverdue: {
    description: 'Verdicts that wait for a person for longer than the settings allow, by kind.',
  },
  condition: { description: 'Conditions of the installation: 1 while one holds.' },
  providerFallback: { description: 'Calls that another provider answered.', unit: '{call}' },
  budgetSoft: { description: 'Budgets that reached their warning.', unit: '{budget}' },
  budgetRefused: { description: 'Calls that a budget refused, by scope.', unit: '{call}' },
  httpDuration: { description: 'Time until a request was answered.', unit: 's' },
  eventLoopLag: { description: 'Longest block of the event loop between two reports.', unit: 's' },
  replicaLag: {
    description:
      'Lag of the replica from which the console reads lists. Absent if none is set, or while it is unknown.',
    unit: 's',
  },
  buildInfo: { description: 'Version of Casefile that a process runs, with that of Node. Always 1.' },
  modelDuration: { description: 'Time that a call of a model took.', unit: 's' },
  modelTokens: { description: 'Tokens of calls of models, by type.', unit: '{token}' },
  modelCost: { description: 'Cost of calls of models in US dollars.', unit: '{USD}' },
};

const BY_NAME = new Map(
  Object.entries(METRICS).map(([key, name]) => [name as string, INFO[key as MetricKey]]),
);

/** Returns the metadata of a metric. An unlisted name has none. */
export function metricInfo(name: string): Partial<MetricInfo> {
  return BY_NAME.get(name) ?? {};
}

const SUFFIX: Record<string, string | undefined> = { s: '_seconds', '{USD}': '_usd' };

/** Returns the name of a metric in Prometheus, before `_total`: with its unit at the end. */
export function prometheusName(name: string, unit: string): string {
  const suffix = SUFFIX[unit] ?? '';
  const plain = name.replaceAll('.', '_');
  return plain.endsWith(suffix) ? plain : `${plain}${suffix}`;
}
