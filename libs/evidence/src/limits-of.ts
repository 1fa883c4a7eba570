import type { ToolLimits } from '@casefile/contracts';
import type { EvidenceSettings } from './settings.js';

/** A tool's own limits with what the settings lay over them; keys that are absent or undefined change nothing. */
export function limitsOf(
  tool: string,
  own: ToolLimits,
  settings: Pick<EvidenceSettings, 'limits'>,
): ToolLimits {
  const over = Object.entries(settings.limits?.[tool] ?? {}).filter(([, value]) => value !== undefined);
  return { ...own, ...Object.fromEntries(over) };
}
