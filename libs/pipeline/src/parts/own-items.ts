import type { Evidence, EvidenceItem } from '@casefile/contracts';

/**
 * Returns the items of a tool that Casefile asked itself, with failed ones; for `settings` those of the installation's
 * settings. Evidence that the sender of the alert supplied is left out, because it may bear the name of any tool.
 */
export function ownItems({ items }: Pick<Evidence, 'items'>, tool: string): EvidenceItem[] {
  return items.filter(({ toolName, given }) => toolName === tool && given !== true);
}
