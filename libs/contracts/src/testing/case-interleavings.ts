import type { Grade } from '../transitions/grade.js';
import type { DisabledRules } from '../transitions/index.js';
import { seededRandom } from '../seeded-random.js';
import { CaseModel } from './case-model.js';

const HOUR_MS = 3_600_000;
const SEVERITIES = ['info', 'unknown', 'warning', 'critical'] as const;
const LEVELS = ['no-data', 'warning', 'firing', 'firing'] as const;

/** Runs one random interleaving. @returns the violated sentences. */
export function interleave(seed: number, disabled: DisabledRules): string[] {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const model = new CaseModel(seed % 90_000_000, disabled);
  const isTimed = random() < 0.6;
  const grade = (): Grade => ({
    severity: pick(SEVERITIES),
    level: pick(LEVELS),
    affected: random() < 0.2 ? below(40) : null,
  });
  const says = () => pick(['dismiss', 'review warning', 'act critical'] as const);
  const steps = 4 + below(16);
  for (let step = 0; step < steps; step += 1) {
    const start = isTimed ? below(6) * 5 : null;
    const chance = random();
    if (chance < 0.34) model.alert(start, 'firing', grade(), random() < 0.1);
    else if (chance < 0.42) model.alert(start, 'resolved', grade(), random() < 0.1);
    else if (chance < 0.46) model.alert(start, 'remark', grade(), random() < 0.1);
    else if (chance < 0.48) model.alert(start, 'words', grade(), random() < 0.1);
    else if (chance < 0.7) model.decide(below);
    else if (chance < 0.8)
      model.give(says(), random() < 0.3 ? 'The report has no source.' : null, random() < 0.5);
    else if (chance < 0.84) model.withdraw();
    else if (chance < 0.9) model.batch(says());
    else model.wait(pick([60_000, 20 * 60_000, 2 * HOUR_MS, 7 * HOUR_MS, 25 * HOUR_MS]));
    model.check();
  }
  model.finish();
  return model.broken;
}

/** Runs many interleavings. @returns violated sentences with the first seed that violates each. */
export function interleavings(
  count: number,
  firstSeed: number,
  disabled: DisabledRules,
): Map<string, number> {
  const broken = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1)
    for (const sentence of interleave(seed, disabled)) if (!broken.has(sentence)) broken.set(sentence, seed);
  return broken;
}
