import type { EvidenceItem, Json } from '@casefile/contracts';
import { pastCasesText } from '../past-cases.js';
import { inLine } from '../plain-text.js';
import { signalsInWords } from '../text-signals/signals-found.js';
import { mailFindingsInWords } from './mail-findings.js';
import { enginesText, evidenceItemReading, type ToolReading } from './tool-readings.js';

const DAY_MS = 86_400_000;
/** Maximum number of complaints that are listed with host and age. */
const NAMED = 5;

export const NO_EVIDENCE = 'No evidence was collected.';

/**
 * Renders one item as a numbered line: id, tool, entity and a summary of the result. Ages are relative to
 * `receivedAt`, so that a later rendering has the same bytes.
 */
export function evidenceLine(item: EvidenceItem, receivedAt: string): string {
  const about =
    item.entityValue === '' ? '' : ` on ${inLine(item.entityType, 64)} ${inLine(item.entityValue, 200)}`;
  const origin = item.given === true ? ' (handed in by the sender of the alert, not looked up by us)' : '';
  return `[${item.id}] ${inLine(item.toolName, 100)}${about}${origin}: ${evidenceItemSummary(item, receivedAt)}`;
}

/** Renders all items; none is left out. */
export function evidenceLines(items: EvidenceItem[], receivedAt: string): string {
  if (items.length === 0) return NO_EVIDENCE;
  return items.map((item) => evidenceLine(item, receivedAt)).join('\n');
}

function evidenceItemSummary(item: EvidenceItem, receivedAt: string): string {
  if (!item.success) return evidenceItemFailure(item);
  const reading = evidenceItemReading(item);
  switch (reading.kind) {
    case 'reports':
      return readingReports(reading, receivedAt);
    case 'complaints':
      return complaintsOf(reading, receivedAt);
    case 'domain':
      return readingDomain(reading);
    case 'phone':
      return readingPhone(reading);
    case 'text':
      return signalsInWords(reading.found);
    case 'mail':
      return mailFindingsInWords(reading.found);
    case 'other':
      return pastCasesText(item) ?? `result ${shortJson(item.result)}`;
  }
}

function evidenceItemFailure(item: EvidenceItem): string {
  const why = [item.reason, item.message].filter((part) => part !== undefined && part !== '').join(', ');
  return `the tool failed${why === '' ? '' : ` (${inLine(why, 200)})`}; this question has no answer`;
}

function readingReports(reading: ToolReading & { kind: 'reports' }, receivedAt: string): string {
  if (!reading.found) return 'not found in the scam database';
  const last = reading.lastReportedAt === null ? '' : lastReport(reading.lastReportedAt, receivedAt);
  return `found in the scam database, ${reading.reportCount} reports, risk score ${reading.riskScore} of 100${last}`;
}

function lastReport(at: string, receivedAt: string): string {
  const age = ageOf(at, receivedAt);
  return age === null ? '' : `, last report ${age}`;
}

/** Whole days between a time and the alert's; null if one is not a valid time. */
function ageOf(at: string, receivedAt: string): string | null {
  const days = Math.floor((Date.parse(receivedAt) - Date.parse(at)) / DAY_MS);
  if (Number.isNaN(days)) return null;
  return days < 0 ? 'after the text came in' : `${days} days before the text came in`;
}

function complaintsOf(
  { complaints, pages }: ToolReading & { kind: 'complaints' },
  receivedAt: string,
): string {
  if (complaints.length === 0)
    return pages === 0
      ? 'the web search found no complaints'
      : `the web search found no complaints; pages that only mention it: ${pages}`;
  const named = complaints.slice(0, NAMED).map(({ host, published }) => {
    const age = published === null ? null : ageOf(published, receivedAt);
    return `${inLine(host, 80) || 'a page without an address'} (${age ?? 'date unknown'})`;
  });
  const more = complaints.length - named.length;
  const noun = complaints.length === 1 ? 'complaint' : 'complaints';
  return `the web search found ${complaints.length} ${noun}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function readingDomain(reading: ToolReading & { kind: 'domain' }): string {
  const risk = reading.riskLevel === null ? 'risk unknown' : `${reading.riskLevel} risk`;
  const age = reading.ageDays === null ? 'age unknown' : `registered ${reading.ageDays} days ago`;
  const listed = reading.listed === null ? '' : `, on the ${inLine(reading.listed, 60)} list`;
  return `${risk}, ${enginesText(reading.malicious)}, ${age}${listed}`;
}

function readingPhone(reading: ToolReading & { kind: 'phone' }): string {
  if (reading.suspicious) return `suspicious number: ${inLine(reading.reason, 200) || 'no reason given'}`;
  const country = reading.country === '' ? '' : `, country ${inLine(reading.country, 40)}`;
  return `valid number, type ${inLine(reading.numberType, 60) || 'unknown'}${country}`;
}

function shortJson(result: Json): string {
  return inLine(JSON.stringify(result), 400);
}
