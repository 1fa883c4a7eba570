import type { Brief, EvidenceItem, Json, RunSettings } from '@casefile/contracts';
import type { Collect } from '../stage-parts.js';

/** A fact that the installation knows by its settings, as one evidence item. */
export interface SettingsItem {
  /** Type of what it is about, such as `vendor`. */
  type: string;
  /** What it is about, such as the name of the vendor. */
  value: string;
  result: Json;
  /** Why the settings could not be read for it. The item is a gap then, and the verdict degraded. */
  problem?: string;
}

/** Most items of one case: the kind gives what concerns the case, not a whole list. */
const MOST_ITEMS = 200;

/**
 * Wraps a collect stage so that items of the installation's settings come before the results of look-ups. They are cited
 * like other evidence. Their source is `settings`: neither the sender of the alert nor a tool gave them.
 * @param itemsOf reads the options that the run was frozen with, so that a replay has the same items.
 */
export function withSettingsItems(
  itemsOf: (input: { brief: Brief; settings: RunSettings; unit: string }) => readonly SettingsItem[],
  collect: Collect,
): Collect {
  return (input, ports) => {
    const { brief, previous } = input;
    if (previous.evidence !== undefined) return collect(input, ports);
    const { settings, unit } = ports.run;
    const items = itemsOf({ brief, settings, unit })
      .slice(0, MOST_ITEMS)
      .map(({ type, value, result, problem }, i): EvidenceItem => ({
        id: `E${brief.given.length + i + 1}`,
        toolName: 'settings',
        entityType: type,
        entityValue: value,
        result: problem === undefined ? result : null,
        success: problem === undefined,
        ...(problem === undefined ? {} : { reason: 'bad_answer', message: problem }),
        source: 'settings',
        at: brief.receivedAt,
        durationMs: 0,
      }));
    return collect({ ...input, brief: { ...brief, given: [...brief.given, ...items] } }, ports);
  };
}
