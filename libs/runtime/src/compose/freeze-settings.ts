import type { AlertInput, RunSettings } from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { mcpToolsFor } from '../config/mcp-settings.js';
import type { Config } from '../config/read-config.js';

type Frozen = Pick<
  Config,
  | 'provider'
  | 'fallbackProviders'
  | 'playbookProviders'
  | 'prompts'
  | 'settings'
  | 'mcp'
  | 'env'
  | 'demonstration'
  | 'fileOptions'
>;

/** A demonstration shows answers, not deadlines: on a slow or busy machine each must still be played. */
const PLAYED_WITHIN_MS = 120_000;

/**
 * The settings a new run of a playbook is frozen with: the playbook's own, with the configuration's laid over them. S2-07.
 * @param alert What the run is about; hand-written answers are played for the alerts they were written for alone.
 */
export function freezeSettings(playbook: Playbook, config: Frozen, alert?: AlertInput): RunSettings {
  const own = config.settings.playbooks[playbook.name];
  const reasoning = own?.reasoning ?? playbook.reasoning;
  return {
    playbook: playbook.name,
    playbookVersion: playbook.version,
    strategy: own?.strategy ?? playbook.strategy,
    policy: playbook.decision.name,
    ...modelsOf(playbook, config, alert),
    promptIds: promptIdsOf(playbook, config),
    tools: [...playbook.tools, ...mcpToolsFor(config.mcp, playbook.name, alert)],
    maxRounds: playbook.maxRounds,
    onOutage: playbook.onOutage,
    ...(reasoning === undefined ? {} : { reasoning }),
    options: {
      ...playbook.options.defaults,
      ...(config.env.NODE_ENV === 'production' ? playbook.options.production : {}),
      ...config.fileOptions?.(playbook.name),
      ...own?.options,
      ...(plays(config, alert) && 'deadlineMs' in playbook.options.defaults
        ? { deadlineMs: PLAYED_WITHIN_MS }
        : {}),
    },
  };
}

/** By what each prompt is for; the id of a text that is not the shipped one has its hash. */
function promptIdsOf({ strategies }: Playbook, { prompts }: Frozen): RunSettings['promptIds'] {
  const named = Object.values(strategies).flatMap((strategy) => Object.entries(strategy.prompts));
  return Object.fromEntries(named.map(([name, prompt]) => [name, prompts.of(prompt).id]));
}

function plays({ demonstration }: Pick<Frozen, 'demonstration'>, alert: AlertInput | undefined): boolean {
  return alert !== undefined && demonstration?.plays(alert) === true;
}

function modelsOf(
  { name }: Playbook,
  { provider: first, fallbackProviders, playbookProviders, settings, demonstration }: Frozen,
  alert?: AlertInput,
): Pick<RunSettings, 'provider' | 'model' | 'fallbackProviders' | 'cheaperModel' | 'lowModel'> {
  if (demonstration !== undefined && plays({ demonstration }, alert)) {
    const { entry } = demonstration.provider;
    return { provider: entry.name, model: entry.model };
  }
  const provider = name in playbookProviders ? (playbookProviders[name] ?? null) : first;
  if (provider === null) return { provider: 'none', model: 'none' };
  const { name: own, model } = provider.entry;
  const low = settings.playbooks[name]?.models.low;
  // The budgets' cheaper model is one of the first provider.
  const cheaper = (own === first?.entry.name ? settings.budgets.cheaperModel : undefined) ?? low;
  const others = fallbackProviders.map(({ entry }) => entry.name).filter((other) => other !== own);
  return {
    provider: own,
    model,
    ...(others.length === 0 ? {} : { fallbackProviders: others }),
    ...(cheaper === undefined ? {} : { cheaperModel: cheaper }),
    ...(low === undefined ? {} : { lowModel: low }),
  };
}
