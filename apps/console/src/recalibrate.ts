import { createHash } from 'node:crypto';
import {
  CasefileError,
  InvalidInput,
  type ConfidenceOrigin,
  type LabelQuery,
  type NewRecalibration,
  type VerdictLabel,
  type Act,
} from '@casefile/contracts';
import { actingThreshold, LEAST_LABELS, fitRecalibration, type ActingThreshold } from '@casefile/pipeline';
import { ACTED_ON } from './quality-view.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
/** Word for "not recorded" in a selection. */
const NONE = 'none';

type Optional<T> = { [K in keyof T]?: T[K] | undefined };
/** Selection of labels as the API takes it. */
export type LabelSelection = { playbook: string } & Optional<
  Record<'strategy' | 'prompts' | 'model' | 'language' | 'confidenceSource' | 'from' | 'to', string>
>;

/**
 * Returns the query for a selection of labels. Default: the last 90 days, all sources of the kind.
 * @throws CasefileError `not_found` for an unknown kind; InvalidInput for a range that ends before it begins.
 */
export function labelQuery(
  { playbook, from, to, strategy, prompts, model, language, confidenceSource }: LabelSelection,
  { playbooks, now }: { playbooks: readonly { name: string }[]; now: () => number },
): LabelQuery {
  if (!playbooks.some(({ name }) => name === playbook))
    throw new CasefileError('not_found', `no kind of case has the name "${playbook}"`);
  const until = to === undefined ? now() : Date.parse(to);
  const since = from === undefined ? until - DEFAULT_DAYS * DAY_MS : Date.parse(from);
  if (since >= until)
    throw new InvalidInput([{ path: 'from', message: 'expected a time before `to`' }], 'request');
  const orNull = (value: string) => (value === NONE ? null : value);
  return {
    playbook,
    from: new Date(since).toISOString(),
    to: new Date(until).toISOString(),
    ...(strategy === undefined ? {} : { strategy }),
    ...(prompts === undefined ? {} : { prompts }),
    ...(model === undefined ? {} : { model: orNull(model) }),
    ...(language === undefined ? {} : { language: orNull(language) }),
    ...(confidenceSource === undefined ? {} : { confidenceSource }),
  };
}

const FIELDS = ['strategy', 'prompts', 'model', 'language', 'confidenceSource'] as const;

/**
 * Returns the one source of the labels.
 * @throws InvalidInput that names each field with several values: labels of several sources are never added.
 */
export function sourceOfLabels(labels: readonly VerdictLabel[]): ConfidenceOrigin {
  const [first] = labels;
  if (first === undefined) throw notEnough(0);
  const mixed = FIELDS.flatMap((field) => {
    const values = [...new Set(labels.map((label) => label[field] ?? NONE))];
    if (values.length < 2) return [];
    const message = `the labels have several sources: choose one of ${values.sort().join(' | ')}`;
    return [{ path: field, message }];
  });
  if (mixed.length > 0) throw new InvalidInput(mixed, 'request');
  const { playbook, strategy, prompts, model, language, confidenceSource } = first;
  return { playbook, strategy, prompts, model, language, confidenceSource };
}

/**
 * Returns a recalibration learned from the labels of one source.
 * @throws InvalidInput for labels of several sources; CasefileError `conflict` for fewer than 100.
 */
export function learnedRecalibration(labels: readonly VerdictLabel[], act: Act): NewRecalibration {
  const source = sourceOfLabels(labels);
  const fit = fitRecalibration(
    labels.map(({ confidence: stated, right }) => ({ stated, observed: right ? 1 : 0 })),
  );
  if (fit === null) throw notEnough(labels.length);
  const ids = labels.map(({ runId }) => runId).sort();
  const times = labels.map(({ decidedAt }) => decidedAt).sort();
  return {
    ...source,
    ...fit,
    from: times[0] ?? '',
    to: times.at(-1) ?? '',
    runsDigest: createHash('sha256').update(ids.join('\n')).digest('hex'),
    ...act,
  };
}

/**
 * Returns the lowest confidence from which at most 5 % of the verdicts are wrong, with a probability of 95 %.
 * @throws InvalidInput for labels of several sources; CasefileError `conflict` for fewer than 100 labels, or if they
 * show no such confidence.
 */
export function suggestedLimit(labels: readonly VerdictLabel[]): ActingThreshold {
  const { confidenceSource } = sourceOfLabels(labels);
  if (labels.length < LEAST_LABELS) throw notEnough(labels.length);
  const threshold = actingThreshold(
    labels.map(({ confidence: stated, right }) => ({ stated, observed: right ? 1 : 0 })),
    ACTED_ON,
  );
  if (threshold !== null) return threshold;
  const message = `the labels of ${confidenceSource} show no confidence from which at most 5 % are wrong`;
  throw new CasefileError('conflict', message);
}

function notEnough(labels: number): CasefileError {
  const missing = LEAST_LABELS - labels;
  const message = `not enough labels: there are ${labels}, and ${missing} more are needed`;
  return new CasefileError('conflict', message);
}
