import type { ToolLimits } from '@casefile/contracts';

/** What the tools are told from outside. Values come from the reader of the configuration; nothing here reads the environment. */
export interface EvidenceSettings {
  exa: { apiKey?: string; baseUrl: string };
  virusTotal: { apiKey?: string; baseUrl: string };
  /** A JSON file of pages that searches of the web look through where there is no key for a search engine. */
  pages?: string;
  /** Registration age; absent: nobody is asked for it. */
  rdap: {
    baseUrl?: string;
    /** Nobody chose the address: where it was never reached there is no way out, and nobody to ask. */
    byDefault?: boolean;
  };
  /** Own lists in place of the shipped ones: one domain a line, `#` starts a comment. */
  domainLists?: { allowFile?: string; blockFile?: string };
  /**
   * Hosts a tool may be redirected to, by tool name, besides the host of its base URL: `rdap.example.org`,
   * `*.example.org`, with a port where it is not the usual one. In place of the tool's own list.
   */
  allowedHosts?: Record<string, readonly string[]>;
  /** Laid over a tool's own limits, by tool name. */
  limits?: Record<string, Partial<ToolLimits>>;
}

/** A tool's own limits with what the settings lay over them; keys that are absent or undefined change nothing. */
export function limitsOf(
  tool: string,
  own: ToolLimits,
  settings: Pick<EvidenceSettings, 'limits'>,
): ToolLimits {
  const over = Object.entries(settings.limits?.[tool] ?? {}).filter(([, value]) => value !== undefined);
  return { ...own, ...Object.fromEntries(over) };
}
