import type { Grade } from '../transitions/grade.js';
import type { DisabledRules } from '../transitions/index.js';
import { seededRandom } from '../seeded-random.js';
import { CaseModel } from './case-model.js';
import type { AlertKind, ModelAlert } from './case-model-parts.js';

const HOUR_MS = 3_600_000;
const SEVERITIES = ['info', 'unknown', 'warning', 'critical'] as const;
const LEVELS = ['no-data', 'warning', 'firing', 'firing'] as const;

/** Something that happens to a case. */
export type CaseStep =
  | ({ act: 'alert' } & ModelAlert)
  /** One of the runs that are under way ends; `which` is from 0 to below 1. */
  | { act: 'decide'; which: number; isDegraded: boolean }
  | { act: 'give'; says: string; contradiction: string | null; overrides: boolean }
  | { act: 'withdraw' }
  | { act: 'batch'; says: string }
  | { act: 'erase' }
  /** A silence that matches the alert begins, or ends. */
  | { act: 'silence' | 'unsilence' }
  | { act: 'wait'; ms: number };

/** Returns the steps of a random interleaving. */
export function interleavingSteps(seed: number): CaseStep[] {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const isTimed = random() < 0.6;
  const grade = (): Grade => ({
    severity: pick(SEVERITIES),
    level: pick(LEVELS),
    affected: random() < 0.2 ? below(40) : null,
  });
  const says = () => pick(['dismiss', 'review warning', 'act critical'] as const);
  const alert = (kind: AlertKind, start: number | null): CaseStep => {
    return { act: 'alert', start, kind, grade: grade(), isRequested: random() < 0.1 };
  };
  const step = (): CaseStep => {
    const start = isTimed ? below(6) * 5 : null;
    const chance = random();
    if (chance < 0.34) return alert('firing', start);
    if (chance < 0.42) return alert('resolved', start);
    if (chance < 0.46) return alert('remark', start);
    if (chance < 0.48) return alert('words', start);
    if (chance < 0.7) return { act: 'decide', which: random(), isDegraded: below(4) === 0 };
    if (chance < 0.8) {
      const contradiction = random() < 0.3 ? 'The report has no source.' : null;
      return { act: 'give', says: says(), contradiction, overrides: random() < 0.5 };
    }
    if (chance < 0.84) return { act: 'withdraw' };
    if (chance < 0.9) return { act: 'batch', says: says() };
    if (chance < 0.92) return { act: 'erase' };
    if (chance < 0.95) return { act: 'silence' };
    if (chance < 0.97) return { act: 'unsilence' };
    return { act: 'wait', ms: pick([60_000, 20 * 60_000, 2 * HOUR_MS, 7 * HOUR_MS, 25 * HOUR_MS]) };
  };
  return Array.from({ length: 4 + below(16) }, step);
}

/** Makes a step happen to the model of a case. */
export function playStep(model: CaseModel, step: CaseStep): void {
  if (step.act === 'alert') model.alert(step.start, step.kind, step.grade, step.isRequested);
  if (step.act === 'decide') model.decide(step.which, step.isDegraded);
  if (step.act === 'give') model.give(step.says, step.contradiction, step.overrides);
  if (step.act === 'withdraw') model.withdraw();
  if (step.act === 'batch') model.batch(step.says);
  if (step.act === 'erase') model.erase();
  if (step.act === 'silence') model.silence(true);
  if (step.act === 'unsilence') model.silence(false);
  if (step.act === 'wait') model.wait(step.ms);
  model.sweep();
}

/** Returns the model for an interleaving. */
export function caseModel(seed: number, disabled: DisabledRules): CaseModel {
  return new CaseModel(seed % 90_000_000, disabled);
}

/** Runs one random interleaving. @returns the violated sentences. */
export function interleave(seed: number, disabled: DisabledRules): string[] {
  const model = caseModel(seed, disabled);
  for (const step of interleavingSteps(seed)) {
    playStep(model, step);
    model.check();
  }
  model.finish();
  return model.broken;
}

/**
 * Runs many interleavings, until this many sentences are violated (`enough`; default: all interleavings).
 * @returns violated sentences with the first seed that violates each.
 */
export function interleavings(
  count: number,
  firstSeed: number,
  disabled: DisabledRules,
  enough = Infinity,
): Map<string, number> {
  const broken = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + count && broken.size < enough; seed += 1)
    for (const sentence of interleave(seed, disabled)) if (!broken.has(sentence)) broken.set(sentence, seed);
  return broken;
}
