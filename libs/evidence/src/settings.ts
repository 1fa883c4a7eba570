import { variableValues, type ToolLimits } from '@casefile/contracts';
import { EXA_VARIABLES, exaOf } from './sources/exa.js';
import { RDAP_VARIABLES, rdapOf } from './sources/rdap.js';
import { VIRUS_TOTAL_VARIABLES, virusTotalOf } from './sources/virus-total.js';

/**
 * Settings of the tools. The configuration reader supplies the values; nothing here reads the environment.
 */
export interface EvidenceSettings {
  exa: ReturnType<typeof exaOf>;
  virusTotal: ReturnType<typeof virusTotalOf>;
  /** JSON file of stored pages, used by web searches without a key for a search engine. */
  pages?: string;
  /** Server for registration ages; if absent, no ages are queried. */
  rdap: ReturnType<typeof rdapOf>;
  /** Lists that replace the shipped ones: one domain per line, `#` starts a comment. */
  domainLists?: { allowFile?: string; blockFile?: string };
  /**
   * Allowed hosts of redirects by tool name, in addition to the host of its base URL: `rdap.example.org`,
   * `*.example.org`, with a port if it is not the default. Replaces the tool's own list.
   */
  allowedHosts?: Record<string, readonly string[]>;
  /** Names of mail servers whose header Authentication-Results is believed. Default: none. */
  trustedAuthservIds?: readonly string[];
  /** Overrides of a tool's own limits, by tool name. */
  limits?: Record<string, Partial<ToolLimits>>;
}

/** How pages of the web are read. */
export interface PageReaderSettings {
  /** Hosts that may have a private address: patterns of `isAllowedHost`. All others must be public. */
  privateHosts: readonly string[];
  /** Requests per second to one host. */
  perHostPerSecond: number;
}

/** Variables of the environment that the tools of this library read. */
export const toolVariables = { ...EXA_VARIABLES, ...VIRUS_TOTAL_VARIABLES, ...RDAP_VARIABLES };

/**
 * Returns the access to outside services that the variables give.
 * @throws ZodError whose paths are the names of wrong variables.
 */
export function accessOf(
  texts: Readonly<Record<string, string | undefined>>,
): Pick<EvidenceSettings, 'exa' | 'virusTotal' | 'rdap'> {
  const values = variableValues(toolVariables, texts);
  return { exa: exaOf(values), virusTotal: virusTotalOf(values), rdap: rdapOf(values) };
}

/**
 * Limits of a look-up inside this system: a pure function, or a query of the own database. On a busy
 * machine it takes long and does not fail, so the limit only ends a call that would never end.
 */
export const OWN_LOOK_UP: ToolLimits = { timeoutMs: 60_000, attempts: 2, concurrency: 50 };

/** Merges a tool's own limits with the settings; absent or undefined keys change nothing. */
export function toolLimits(
  tool: string,
  own: ToolLimits,
  settings: Pick<EvidenceSettings, 'limits'>,
): ToolLimits {
  const over = Object.entries(settings.limits?.[tool] ?? {}).filter(([, value]) => value !== undefined);
  return { ...own, ...Object.fromEntries(over) };
}
