import type { ToolLimits } from '@casefile/contracts';

/**
 * Settings of the tools. The configuration reader supplies the values; nothing here reads the environment.
 */
export interface EvidenceSettings {
  exa: { apiKey?: string; baseUrl: string };
  virusTotal: { apiKey?: string; baseUrl: string };
  /** JSON file of stored pages, used by web searches without a key for a search engine. */
  pages?: string;
  /** Server for registration ages; if absent, no ages are queried. */
  rdap: {
    baseUrl?: string;
    /** The URL is a default, not configured: if it was never reached, the machine has no network access. */
    byDefault?: boolean;
  };
  /** Lists that replace the shipped ones: one domain per line, `#` starts a comment. */
  domainLists?: { allowFile?: string; blockFile?: string };
  /**
   * Allowed hosts of redirects by tool name, in addition to the host of its base URL: `rdap.example.org`,
   * `*.example.org`, with a port if it is not the default. Replaces the tool's own list.
   */
  allowedHosts?: Record<string, readonly string[]>;
  /** Overrides of a tool's own limits, by tool name. */
  limits?: Record<string, Partial<ToolLimits>>;
}

/** Merges a tool's own limits with the settings; absent or undefined keys change nothing. */
export function toolLimits(
  tool: string,
  own: ToolLimits,
  settings: Pick<EvidenceSettings, 'limits'>,
): ToolLimits {
  const over = Object.entries(settings.limits?.[tool] ?? {}).filter(([, value]) => value !== undefined);
  return { ...own, ...Object.fromEntries(over) };
}
