import {
  DEMONSTRATION,
  isLearnedFrom,
  type FrozenRecalibration,
  type RunSettings,
} from '@casefile/contracts';
import { promptName } from '@casefile/pipeline';
import type { RolledOutPrompt } from '@casefile/contracts';
import type { RolloutView } from './rollout-copy.js';

/**
 * Returns the settings of a new run with what is rolled out: the prompt versions that people made live, and the
 * recalibrations that are in force for the sources of its confidence.
 * Answers of a demonstration were written for the installation's texts, so it keeps them.
 */
export function applyRollout(
  settings: RunSettings,
  { prompts, recalibrations }: Pick<RolloutView, 'prompts' | 'recalibrations'>,
): RunSettings {
  if (settings.provider === DEMONSTRATION) return settings;
  const live = prompts.filter(
    ({ playbook, state, moved }) => playbook === settings.playbook && state === 'live' && moved,
  );
  const reworded = live.length === 0 ? settings : withPrompts(settings, live);
  const learned = recalibrations.filter(
    (one) => one.inForce && one.playbook === settings.playbook && isLearnedFrom(one, reworded),
  );
  return learned.length === 0 ? reworded : { ...reworded, recalibrations: learned.map(frozenPart) };
}

/** Returns the part of a recalibration that a run is frozen with. */
export function frozenPart({ version, of, points }: FrozenRecalibration): FrozenRecalibration {
  return { version, of, points };
}

/**
 * Returns the settings with these texts instead of those with the same names. A text that the settings already
 * name is left as it is.
 */
export function withPrompts(
  settings: RunSettings,
  versions: readonly Pick<RolledOutPrompt, 'id' | 'sha256' | 'playbook' | 'name'>[],
): RunSettings {
  const { promptTexts: before = [], promptIds, ...rest } = settings;
  // An id without a stored text refers to the installation's own text.
  const own = Object.values(promptIds).filter((id) => !before.some((one) => one.id === id));
  const others = versions.filter(({ id }) => !own.includes(id));
  const byName = new Map(versions.map(({ playbook, name, id }) => [`${playbook}/${name}`, id]));
  const remainingTexts = before.filter(({ id }) => !byName.has(promptName(id)));
  const promptTexts = [...remainingTexts, ...others.map(({ id, sha256 }) => ({ id, sha256 }))];
  const ids = Object.entries(promptIds).map(([use, id]) => [use, byName.get(promptName(id)) ?? id]);
  return {
    ...rest,
    promptIds: Object.fromEntries(ids) as RunSettings['promptIds'],
    ...(promptTexts.length === 0 ? {} : { promptTexts }),
  };
}
