import type { Json } from '@casefile/contracts';
import { textIn } from '../json-parts.js';

/** Serializes events for the wire, named if the provider names them. */
export function serverSentEvents(
  events: Json[],
  { named = false, endMark = null }: { named?: boolean; endMark?: string | null } = {},
): string {
  const lines = events.map((event) => {
    const name = named ? `event: ${textIn(event, 'type')}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return lines.join('') + (endMark === null ? '' : `data: ${endMark}\n\n`);
}
