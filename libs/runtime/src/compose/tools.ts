import { resolve } from 'node:path';
import type { CaseStore, Embedder, ToolBox, ToolModel } from '@casefile/contracts';
import {
  accessOf,
  addedSources,
  compiledIn,
  createPageReader,
  createToolBox,
  createTools,
  createWebPages,
  definedTools,
  mcpSource,
  unconnectedMcpSource,
  unconnectedSources,
  type AddedSourcesPorts,
  type ChooseSections,
  type EvidenceSettings,
  type McpPorts,
  type ToolPorts,
} from '@casefile/evidence';
import { patternSearchIn, pdfText, type KnowledgePorts, type TextFile } from '@casefile/knowledge';
import { createEmbedder } from '@casefile/llm';
import { maskJson } from '@casefile/masking';
import {
  ask,
  chooseSections,
  detectLanguage,
  readMailHeaders,
  readText,
  type PromptTexts,
} from '@casefile/pipeline';
import { createBoundedProcesses } from '../bounded/bounded-processes.js';
import type { OutsideSettings } from '../config/outside-settings.js';
import type { Config } from '../config/read-config.js';
import { maskedEmbedder } from '../masking/masked-model.js';
import { systemClock } from './system.js';

type ConnectingPorts = McpPorts & Pick<AddedSourcesPorts, 'changes'>;

/**
 * Returns the tools of a configuration, from all their sources, over these knowledge bases.
 * @param outside Settings of external systems. `${NAME}` is replaced if this process uses them.
 * @param store Stored results and storms. Default: none.
 * @param connecting Ports for connecting to MCP servers and data sources. Default: another process connects, and their
 * tools have only names here.
 */
export function configTools(
  config: Config,
  knowledge: Omit<
    ToolPorts,
    'chooseSections' | 'readMailHeaders' | 'readText' | 'readWebPage' | 'storedResults' | 'storms'
  >,
  outside: Pick<OutsideSettings, 'mcp' | 'pages'>,
  store?: Pick<CaseStore, 'storedResults' | 'storms' | 'dataSources'>,
  connecting?: ConnectingPorts,
): ToolBox {
  const evidence = evidenceSettings(config, outside.pages);
  const runner = createBoundedProcesses();
  const tools = createTools(evidence, {
    ...knowledge,
    ...(store === undefined ? {} : { storedResults: store.storedResults, storms: store.storms }),
    chooseSections: askForSections(config.prompts),
    readWebPage: createWebPages({
      settings: config.settings.evidence.pageReader,
      runner,
      readPdf: (bytes, context) => pdfText(runner, bytes, context),
    }),
    readText,
    readMailHeaders,
  });
  const servers = outside.mcp.map(({ server }) =>
    connecting === undefined ? unconnectedMcpSource(server) : mcpSource(server, connecting),
  );
  const ofKinds = config.kinds
    .filter((kind) => kind.tools.length > 0)
    .map(({ playbook, tools: own }) =>
      compiledIn(definedTools(own, config.toolEnvironment, evidence), `kind ${playbook.name}`),
    );
  const sources =
    connecting === undefined || store === undefined
      ? unconnectedSources()
      : addedSources({
          ...connecting,
          dataSources: store.dataSources,
          secrets: config.sourceSecrets,
          settings: evidence,
          runner,
          clock: systemClock,
        });
  return createToolBox([compiledIn(tools), ...ofKinds, ...servers, sources]);
}

/**
 * Returns the tools of a configuration with only the known patterns of a file, to measure queries without a
 * database.
 * @throws InvalidInput that names every wrong line and field of the file.
 */
export async function toolsOverPatterns(config: Config, file: TextFile): Promise<ToolBox> {
  const patternSearch = await patternSearchIn(file, configEmbedder(config));
  return configTools(config, { patternSearch }, { mcp: [], pages: null });
}

/**
 * Returns what knowledge bases need from the rest of the system. @param settings Default: runbooks match only
 * by their own text.
 */
export function knowledgePorts(embedder: Embedder, settings?: OutsideSettings['runbooks']): KnowledgePorts {
  const runner = createBoundedProcesses();
  const ports = { embedder, detectLanguage, runner, mask: maskJson };
  if (settings === undefined) return ports;
  return { ...ports, runbooks: { settings, reader: createPageReader(settings.allowedHosts, runner) } };
}

/**
 * Returns a function that lets a model choose sections of a policy. Each question is a step of the tool call.
 * @throws CasefileError `invalid_answer` if the answer does not name sections in the required form.
 */
export function askForSections(prompts: PromptTexts) {
  return (model: ToolModel, deadlineAt: number): ChooseSections => {
    const draw = { seed: model.seed, deadlineAt };
    let step = 0;
    return async (offered) => {
      step += 1;
      const reply = await ask(chooseSections(offered, prompts), { model, draw, steps: [step] });
      if ('value' in reply) return reply.value;
      throw reply.error;
    };
  };
}

/**
 * Returns the embedder of a configuration: its server, or the offline encoder, which loads with the first
 * text.
 */
export function configEmbedder({ env, settings }: Pick<Config, 'env' | 'settings'>): Embedder {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = env;
  const kinds = Object.values(settings.playbooks).map(({ masking }) => masking);
  return maskedEmbedder(createEmbedder({ url, model, apiKey }, systemClock), kinds);
}

/**
 * Returns the settings of the tools.
 * @param pages File of pages for web searches without a search engine key; null: none.
 */
function evidenceSettings({ toolEnvironment, settings }: Config, pages: string | null): EvidenceSettings {
  return {
    ...accessOf(toolEnvironment),
    limits: settings.tools,
    trustedAuthservIds: settings.mail.trustedAuthservIds,
    domainLists: settings.evidence.domainLists,
    allowedHosts: settings.evidence.allowedHosts,
    ...(pages === null ? {} : { pages: resolve(pages) }),
  };
}
