import { readFileSync } from 'node:fs';
import {
  type Installation,
  type InstalledProvider,
  type InstalledToolServer,
  type JsonObject,
  type RunSettings,
  CasefileError,
  type InstallationSource,
  z,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { ConfiguredMcpServer } from '../config/mcp-settings.js';
import type { Config } from '../config/read-config.js';

/** Version of this Casefile. Both source and build are two folders below the library's package.json. */
export const CASEFILE_VERSION: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version;

/**
 * Returns the capabilities of the installation with this configuration. The result has no key, token, header
 * or URL.
 */
export function describeInstallation(config: Config): Installation {
  const { provider, playbooks, providerNames, mcp, demonstration } = config;
  return {
    version: CASEFILE_VERSION,
    provider: provider?.entry.name ?? 'none',
    model: provider?.entry.model ?? null,
    playbooks: Object.fromEntries(playbooks.map((one) => [one.name, playbookSettings(one, config)])),
    providers: providerNames.flatMap((name) => installedProvider(name, config)),
    toolServers: mcp.map(installedServer),
    ...(demonstration === undefined
      ? {}
      : { demonstration: { model: demonstration.provider.entry.model, alerts: [...demonstration.alerts] } }),
  };
}

function playbookSettings(playbook: Playbook, config: Config): RunSettings {
  const own = config.settings.playbooks[playbook.name];
  const reasoning = own?.reasoning ?? (playbook.thinking === 'as-provider' ? undefined : playbook.thinking);
  return {
    playbook: playbook.name,
    playbookVersion: playbook.version,
    ...kindDigestIn(config, playbook.name),
    strategy: own?.strategy ?? playbook.strategy,
    policy: playbook.decision.name,
    ...playbookModels(playbook, config),
    promptIds: playbookPromptIds(playbook, config),
    tools: [...playbook.tools],
    maxRounds: playbook.maxRounds,
    onOutage: playbook.onOutage,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(own?.masking === undefined ? {} : { masking: own.masking }),
    options: {
      ...playbook.options.defaults,
      ...(config.env.NODE_ENV === 'production' ? playbook.options.production : {}),
      ...config.fileOptions?.of(playbook.name),
      ...own?.options,
    } as JsonObject,
  };
}

function kindDigestIn({ kinds }: Config, name: string): Pick<RunSettings, 'kindDigest'> {
  const outside = kinds.find(({ playbook }) => playbook.name === name)?.outside ?? null;
  return outside === null ? {} : { kindDigest: outside.digest };
}

/**
 * Returns the id of each prompt by its purpose. The id of a text that is not the shipped one contains its
 * hash.
 */
function playbookPromptIds({ strategies }: Playbook, { prompts }: Config): RunSettings['promptIds'] {
  const promptEntries = Object.values(strategies).flatMap((strategy) => Object.entries(strategy.prompts));
  return Object.fromEntries(promptEntries.map(([name, prompt]) => [name, prompts.of(prompt).id]));
}

function playbookModels(
  { name }: Playbook,
  { provider: first, fallbackProviders, playbookProviders, settings, examinerFor }: Config,
): Pick<RunSettings, 'provider' | 'model' | 'fallbackProviders' | 'cheaperModel' | 'lowModel' | 'examiner'> {
  const provider = name in playbookProviders ? (playbookProviders[name] ?? null) : first;
  if (provider === null) return { provider: 'none', model: 'none' };
  const { name: own, model } = provider.entry;
  const low = settings.playbooks[name]?.models.low;
  // The cheaper model in the budgets' settings belongs to the first provider.
  const cheaper = (own === first?.entry.name ? settings.budgets.cheaperModel : undefined) ?? low;
  const examiner = examinerFor(name, own);
  const others = fallbackProviders.map(({ entry }) => entry.name).filter((other) => other !== own);
  return {
    provider: own,
    model,
    ...(others.length === 0 ? {} : { fallbackProviders: others }),
    ...(cheaper === undefined ? {} : { cheaperModel: cheaper }),
    ...(low === undefined ? {} : { lowModel: low }),
    ...(examiner === null
      ? {}
      : { examiner: { provider: examiner.entry.name, model: examiner.entry.model } }),
  };
}

function installedProvider(name: string, { providerNamed }: Config): InstalledProvider[] {
  const entry = providerNamed(name)?.entry;
  if (entry === undefined) return [];
  const { model, prices, priceList } = entry;
  return [{ name, model, prices, priceList }];
}

function installedServer({ server, kinds, forAlerts }: ConfiguredMcpServer): InstalledToolServer {
  const { name, allow, required, pins } = server;
  return {
    name,
    allow: [...allow],
    required: [...required],
    searches: [],
    timeline: [],
    kinds: [...kinds],
    forAlerts: { ...forAlerts },
    pins: { ...pins },
  };
}

/** Returns this process's own installation: for the service that asks models, and for direct commands. */
export function ownInstallation(config: Config): { latest(): Installation } {
  let described: { version: number | undefined; installation: Installation } | null = null;
  return {
    latest: () => {
      const version = config.fileOptions?.version;
      if (described?.version !== version || described === null)
        described = { version, installation: describeInstallation(config) };
      return described.installation;
    },
  };
}

/** Returns the installation. @throws CasefileError `not_ready` (retryable) before one was published. */
export function installationIn(source: InstallationSource): Installation {
  const installation = source.latest();
  if (installation !== null) return installation;
  const message = 'no service that asks models has started on this record yet: start the reasoner';
  throw new CasefileError('not_ready', message, { retryable: true });
}
