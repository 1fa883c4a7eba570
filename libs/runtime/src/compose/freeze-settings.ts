import type { AlertInput, RunSettings } from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { Config } from '../config/read-config.js';

/**
 * The settings a new run of a playbook is frozen with: the playbook's own, with configuration laid over its figures.
 * @param alert What the run is about; hand-written answers are played for the alerts they were written for alone.
 */
export function freezeSettings(
  playbook: Playbook,
  config: Pick<Config, 'provider' | 'fallbackProviders' | 'settings' | 'env' | 'demonstration'>,
  alert?: AlertInput,
): RunSettings {
  const { demonstration, fallbackProviders } = config;
  const isPlayed = alert !== undefined && demonstration?.plays(alert) === true;
  const provider = isPlayed ? demonstration.provider : config.provider;
  const { cheaperModel } = config.settings.budgets;
  return {
    playbook: playbook.name,
    playbookVersion: playbook.version,
    strategy: playbook.strategy,
    policy: playbook.policy,
    provider: provider?.entry.name ?? 'none',
    model: provider?.entry.model ?? 'none',
    promptIds: promptIdsOf(playbook),
    tools: [...playbook.tools],
    maxRounds: playbook.maxRounds,
    onOutage: playbook.onOutage,
    ...(fallbackProviders.length === 0
      ? {}
      : { fallbackProviders: fallbackProviders.map(({ entry }) => entry.name) }),
    ...(cheaperModel === undefined || provider === null ? {} : { cheaperModel }),
    options: {
      ...playbook.options,
      ...(config.env.NODE_ENV === 'production' ? playbook.optionsInProduction : {}),
      ...config.settings.playbooks[playbook.name],
    },
  };
}

function promptIdsOf({ answer, answers = {}, controller }: Playbook): Record<string, string> {
  const byMode = Object.entries(answers).map(([mode, prompt]) => [mode, prompt.id]);
  return {
    ...(answer === undefined ? {} : { answer: answer.id }),
    ...(controller === undefined ? {} : { controller: controller.id }),
    ...Object.fromEntries(byMode),
  };
}
