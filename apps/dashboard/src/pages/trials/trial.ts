import type { Batch, ExperimentDetail, ShownExperiment } from '@casefile/contracts';
import { visible } from '../../format/visible.js';

/** Settings that a trial changes, as an arm of an experiment has them. */
export type Change = ExperimentDetail['arms'][number]['settings'];

/** A test of one change to how a kind of case is judged: the batches and experiments with this change. */
export interface Trial {
  /** Name of the kind of case. */
  kind: string;
  change: Change;
}

/** A trial with what was done for it so far, the newest first. */
export interface StartedTrial extends Trial {
  batches: Batch[];
  experiments: ShownExperiment[];
  /** Time at which its newest batch or experiment was created, ISO 8601. */
  changedAt: string;
}

/** Steps of a trial after the change itself, from the smallest to all cases. */
export const TRIAL_STEPS = ['past', 'shadow', 'part', 'all'] as const;
export type TrialStep = (typeof TRIAL_STEPS)[number];

/** Returns the page of the kind. */
export const kindHref = (kind: string): string => `/improve/kinds/${encodeURIComponent(kind)}`;

/** Returns the page of a trial on which a step begins. */
export function trialHref({ kind, change }: Trial, step: TrialStep): string {
  return `${kindHref(kind)}/trial?${new URLSearchParams({ change: changeKey(change), step }).toString()}`;
}

/** Reads the change and the step from the address of a trial. null: it contains no change. */
export function trialInSearch(kind: string, search: URLSearchParams): (Trial & { step: TrialStep }) | null {
  const step = TRIAL_STEPS.find((name) => name === search.get('step')) ?? 'past';
  try {
    const change: unknown = JSON.parse(search.get('change') ?? '');
    if (typeof change !== 'object' || change === null || Array.isArray(change)) return null;
    return { kind, change: change as Change, step };
  } catch {
    return null;
  }
}

/** Returns the trial that a batch belongs to. null: its cases are of several kinds, or it changes no setting. */
export function trialOfBatch({ ask: { filter, settings } }: Pick<Batch, 'ask'>): Trial | null {
  const kind = filter?.playbook;
  if (kind === undefined || settings === undefined || Object.keys(settings).length === 0) return null;
  const { prompts, ...rest } = settings;
  if (prompts === undefined) return { kind, change: rest };
  const versions = Object.entries(prompts).map(([name, version]) => [
    name.startsWith(`${kind}/`) ? name.slice(kind.length + 1) : name,
    version,
  ]);
  return { kind, change: { ...rest, prompts: Object.fromEntries(versions) as Change['prompts'] } };
}

/** Returns the trial that an experiment belongs to: the settings of its new arm. */
export function trialOfExperiment({ playbook, arms }: Pick<ShownExperiment, 'playbook' | 'arms'>): Trial {
  return { kind: playbook, change: arms[1]?.settings ?? {} };
}

/**
 * Returns the settings with which a batch tests a change. null: no batch can, because the change is one of the
 * confidence alone, which only experiments have.
 */
export function batchSettings({ kind, change }: Trial): Batch['ask']['settings'] | null {
  const { prompts, recalibration, actFrom, ...rest } = change;
  if (recalibration !== undefined || actFrom !== undefined) return null;
  if (prompts === undefined) return rest;
  const versions = Object.entries(prompts).map(([name, version]) => [`${kind}/${name}`, version]);
  return { ...rest, prompts: Object.fromEntries(versions) as Change['prompts'] };
}

/** Groups batches and experiments by trial, the most recent trial first. */
export function startedTrials(
  batches: readonly Batch[],
  experiments: readonly ShownExperiment[],
): StartedTrial[] {
  const trials = new Map<string, StartedTrial>();
  const at = (trial: Trial, createdAt: string): StartedTrial => {
    const key = trialKey(trial);
    const known = trials.get(key) ?? { ...trial, batches: [], experiments: [], changedAt: createdAt };
    if (createdAt > known.changedAt) known.changedAt = createdAt;
    trials.set(key, known);
    return known;
  };
  for (const batch of batches) {
    const trial = trialOfBatch(batch);
    if (trial !== null) at(trial, batch.createdAt).batches.push(batch);
  }
  for (const one of experiments) at(trialOfExperiment(one), one.createdAt).experiments.push(one);
  for (const { batches: all, experiments: others } of trials.values()) {
    all.sort(byNewest);
    others.sort(byNewest);
  }
  return [...trials.values()].sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
}

const byNewest = (a: { createdAt: string }, b: { createdAt: string }): number =>
  a.createdAt < b.createdAt ? 1 : -1;

/** Identifies a trial among others: the same kind and the same change. */
export const trialKey = ({ kind, change }: Trial): string => `${kind} ${changeKey(change)}`;

// Text of a change that does not depend on the order of its settings.
function changeKey(change: Change): string {
  return JSON.stringify(change, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Describes a change: `prompt answer: version 3`, `model gpt-x, provider openai`. */
export function changeInWords({ prompts = {}, options = {}, ...rest }: Change): string {
  const parts = [
    ...Object.entries(prompts).map(([name, version]) => `prompt ${name}: version ${String(version)}`),
    ...Object.entries(options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ...Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${NAMES[name] ?? name} ${String(value)}`),
  ];
  return parts.length === 0 ? 'the normal settings' : visible(parts.join(', '));
}

const NAMES: Readonly<Record<string, string>> = {
  actFrom: 'needs review below confidence',
  recalibration: 'confidence by recalibration',
};
