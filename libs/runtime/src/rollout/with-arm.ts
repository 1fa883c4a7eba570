import {
  InvalidInput,
  isLearnedFrom,
  type ExperimentArm,
  type FrozenRecalibration,
  type RolledOutPrompt,
  type RunSettings,
} from '@casefile/contracts';
import { promptName, type Playbook } from '@casefile/pipeline';
import { frozenPart, withPrompts } from './apply-rollout.js';

/** Facts of the installation that an arm is checked against. */
export interface ArmWorld {
  playbook: Pick<Playbook, 'strategies' | 'options'>;
  /** Versions that runs may use. */
  prompts: readonly RolledOutPrompt[];
  /** Recalibrations that runs may use. */
  recalibrations: readonly (FrozenRecalibration & { playbook: string })[];
  /** Names of the providers that the installation can use. */
  providers: readonly string[];
}

/**
 * Returns the settings of a run of an arm: the current settings with the changes of the arm.
 * @throws InvalidInput that names the setting which this installation cannot apply.
 */
export function withArm(
  settings: RunSettings,
  {
    settings: { strategy = settings.strategy, provider, model, prompts = {}, options, ...confidence },
  }: ExperimentArm,
  world: ArmWorld,
): RunSettings {
  if (!Object.hasOwn(world.playbook.strategies, strategy))
    throw wrong('strategy', `expected one of ${Object.keys(world.playbook.strategies).join(', ')}`);
  const changed = withConfidence(
    withVersions(
      { ...withModel(settings, { provider, model }, world.providers), strategy },
      prompts,
      world.prompts,
    ),
    confidence,
    world.recalibrations,
  );
  if (options === undefined) return changed;
  const all = { ...settings.options, ...options };
  world.playbook.options.check(all);
  return { ...changed, options: all };
}

// Fallbacks and the cheaper and low models were chosen for the current model. They are removed from an arm
// with another model, because their answers would falsify the comparison.
function withModel(
  settings: RunSettings,
  { provider, model }: Pick<ExperimentArm['settings'], 'provider' | 'model'>,
  providers: readonly string[],
): RunSettings {
  if (provider === undefined && model === undefined) return settings;
  const { fallbackProviders: _fallback, cheaperModel: _cheaper, lowModel: _low, ...own } = settings;
  const name = provider ?? own.provider;
  if (name === 'none') return { ...own, provider: name, model: name };
  if (!providers.includes(name)) throw wrong('provider', `expected one of none, ${providers.join(', ')}`);
  if (model === undefined && name !== own.provider) throw wrong('model', `expected the model of ${name}`);
  return { ...own, provider: name, model: model ?? own.model };
}

/** Returns the settings with these versions. @throws InvalidInput for a version that runs of the kind cannot use. */
function withVersions(
  settings: RunSettings,
  versions: Readonly<Record<string, number>>,
  prompts: readonly RolledOutPrompt[],
): RunSettings {
  const used = Object.values(settings.promptIds).map(promptName);
  const chosen = Object.entries(versions).flatMap(([name, version]) => {
    const matches = prompts.filter(
      (prompt) =>
        prompt.name === name && prompt.version === version && used.includes(`${prompt.playbook}/${name}`),
    );
    if (matches.length === 0)
      throw wrong(`prompts.${name}`, `runs of this kind cannot use version ${version}`);
    return matches;
  });
  return chosen.length === 0 ? settings : withPrompts(settings, chosen);
}

/** Returns the settings with this recalibration and limit. @throws InvalidInput for a version of another source. */
function withConfidence(
  settings: RunSettings,
  { recalibration: version, actFrom }: Pick<ExperimentArm['settings'], 'recalibration' | 'actFrom'>,
  recalibrations: ArmWorld['recalibrations'],
): RunSettings {
  const limited = actFrom === undefined ? settings : { ...settings, actFrom };
  if (version === undefined) return limited;
  const recalibration = recalibrations.find(
    (one) => one.version === version && one.playbook === settings.playbook,
  );
  if (recalibration === undefined) throw wrong('recalibration', `this kind has no recalibration ${version}`);
  if (!isLearnedFrom(recalibration, settings))
    throw wrong('recalibration', `version ${version} was learned from another strategy, model or prompt`);
  return { ...limited, recalibrations: [...(limited.recalibrations ?? []), frozenPart(recalibration)] };
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path: `settings.${path}`, message }], 'arm');
}
