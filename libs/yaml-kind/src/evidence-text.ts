import { canonicalJson, reasonInWords, type EvidenceItem } from '@casefile/contracts';
import { inLine } from '@casefile/kit';

/** Longest result in the text, in code points. */
const RESULT_SHOWN = 1_500;

/** Renders an item in one line: id, tool, subject, and the result as JSON or why there is none. */
export function evidenceText({ id, toolName, entityType, entityValue, ...item }: EvidenceItem): string {
  const about = entityValue === '' ? '' : ` on ${inLine(entityType, 64)} ${inLine(entityValue, 200)}`;
  const result = item.success
    ? inLine(canonicalJson(item.result), RESULT_SHOWN)
    : `no result: ${item.reason === undefined ? 'it failed' : reasonInWords(item.reason)}`;
  return `[${id}] ${inLine(toolName, 100)}${about}: ${result}`;
}

/** Renders all items, one in each line. */
export function evidenceList(items: readonly EvidenceItem[]): string {
  return items.length === 0 ? 'Nothing was looked up.' : items.map(evidenceText).join('\n');
}
