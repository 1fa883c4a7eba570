import { isObject, type EvidenceItem, type Json, type JsonObject } from '@casefile/contracts';
import { signalsFound, type SignalsFound, signalsInWords } from '../text-signals/signals-found.js';
import { mailFindings, type FoundInMail, mailFindingsInWords } from './mail-findings.js';
import { plainText, inLine } from '../plain-text.js';
import stems from './complaint-words.json' with { type: 'json' };
import { pastCasesText } from '../past-cases.js';

/**
 * A result of a tool. Senders may supply results, so a field of an unexpected type counts as missing. Reading
 * never throws.
 */
type ToolReading =
  | { kind: 'reports'; found: boolean; reportCount: number; riskScore: number; lastReportedAt: string | null }
  /** `pages`: all pages with the value; `complaints`: pages that complain or warn, in the order found. */
  | { kind: 'complaints'; complaints: Complaint[]; pages: number }
  | {
      kind: 'domain';
      riskLevel: 'low' | 'medium' | 'high' | null;
      /** Number of engines; null: no service that counts engines was queried. */
      malicious: number | null;
      ageDays: number | null;
      listed: string | null;
    }
  | { kind: 'phone'; suspicious: boolean; reason: string; numberType: string; country: string }
  | { kind: 'text'; found: SignalsFound }
  | { kind: 'mail'; found: FoundInMail }
  | { kind: 'other' };

const READERS: Record<string, (result: JsonObject, entityValue: string) => ToolReading> = {
  scam_db: (result) => ({
    kind: 'reports',
    found: result['found'] === true,
    reportCount: figure(result['reportCount']) ?? 0,
    riskScore: figure(result['riskScore']) ?? 0,
    lastReportedAt: text(result['lastReportedAt']) || null,
  }),
  exa_search: (result, entityValue) => {
    const results = Array.isArray(result['results']) ? result['results'].filter(isObject) : [];
    const pages = results.map((page) => ({
      title: text(page['title']),
      url: text(page['url']),
      published: text(page['published']),
      snippet: text(page['snippet']),
    }));
    return { kind: 'complaints', complaints: complaintsAmong(pages, entityValue), pages: pages.length };
  },
  domain_reputation: (result) => ({
    kind: 'domain',
    riskLevel: riskLevelOf(result['riskLevel']),
    malicious: figure(result['virustotalMalicious']),
    ageDays: figure(result['ageDays']),
    listed: text(result['listed']) || null,
  }),
  phone_validator: (result) => ({
    kind: 'phone',
    suspicious: result['suspicious'] === true,
    reason: text(result['suspiciousReason']),
    numberType: text(result['numberType']),
    country: text(result['country']),
  }),
};

/** Reads a successful item by its tool; `other` for any other tool or shape. */
export function evidenceItemReading(item: EvidenceItem): ToolReading {
  const signals = signalsFound(item);
  if (signals !== null) return { kind: 'text', found: signals };
  const mail = mailFindings(item);
  if (mail !== null) return { kind: 'mail', found: mail };
  const read = Object.hasOwn(READERS, item.toolName) ? READERS[item.toolName] : undefined;
  return read === undefined || !isObject(item.result)
    ? { kind: 'other' }
    : read(item.result, item.entityValue);
}

/** Returns whether an item names reports in the scam database. */
export function hasReports(item: EvidenceItem): boolean {
  if (!item.success) return false;
  const reading = evidenceItemReading(item);
  return reading.kind === 'reports' && reading.found && reading.reportCount > 0;
}

/** Returns whether a look-up alone speaks for a scam: reports, a domain of high risk, or a suspicious number. */
export function speaksForScam(item: EvidenceItem): boolean {
  if (hasReports(item)) return true;
  if (!item.success) return false;
  const reading = evidenceItemReading(item);
  return (
    (reading.kind === 'domain' && reading.riskLevel === 'high') ||
    (reading.kind === 'phone' && reading.suspicious)
  );
}

/** Number of engines that call a domain malicious, in words; "not queried" differs from none. */
export function enginesText(malicious: number | null): string {
  return malicious === null ? 'engines were not asked' : `${malicious} engines call it malicious`;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function figure(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function riskLevelOf(value: Json | undefined) {
  const level = text(value).trim().toLowerCase();
  return level === 'low' || level === 'medium' || level === 'high' ? level : null;
}

/** A page of the web search, with the fields that prompt and rules need. */
interface Complaint {
  /** Host of the page without `www.`; '' if its URL is invalid. */
  host: string;
  /** ISO 8601; null if the search engine does not know. */
  published: string | null;
}

/** A page of the web search as returned; any field may be missing in supplied evidence. */
interface FoundPage {
  title: string;
  url: string;
  published: string;
  snippet: string;
}

// Stems of inflected words. Words that could also begin a longer word end before a letter (\p{L}).
const word = (list: string, tail: string) =>
  new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}])(?:${list})${tail}`, 'iu');
const COMPLAINING = [
  word(`${stems.en}|${stems['hi-Latn']}`, String.raw`(?![\p{L}\p{M}\p{N}])`),
  // Hindi endings vary and are attached to the word, so only the stem is matched.
  word(stems.hi, ''),
];

/** Phrases in which one of the words above is not an accusation. */
const NO_ACCUSATION = [
  /complaints?[ -](?:procedures?|polic(?:y|ies)|forms?|handling|process|team|department|officers?|management)/giu,
  /(?:how (?:to|can i)|(?:wish|like) to) (?:make|raise|file|register|lodge|submit) an? complaint/giu,
  /(?:feedback|compliments|suggestions|enquiries|queries|grievances?)(?:,| and| &| or) complaints?/giu,
  /(?:scam|fraud|phishing|cheat)[ -]?(?:prevention|protection|awareness|free|detection|checker|proof)/giu,
  /(?:not|isn'?t|no|never|zero|without)(?: an?| any| single)? (?:scam|fraud|complaint)(?:s|mer|mers|ster)?/giu,
  /(?:anti|counter)[ -]?(?:scam|fraud|phishing)/giu,
  /(?:legit|genuine|real|safe|trusted)\p{L}{0,20} or (?:an? )?(?:scam|fraud|fake)/giu,
  /(?:scam|fraud|fake) or (?:an? )?(?:legit|genuine|real|safe)\p{L}*/giu,
  /(?:is (?:it|this|that)|are they|is \S+) an? (?:scam|fraud)\s?\?/giu,
  /(?:कोई|एक भी) शिकायत नहीं|शिकायत (?:निवारण|पेटी|प्रकोष्ठ)|धोखाधड़ी से सुरक्षा/gu,
  /(?:koi|ek bhi) (?:shikayat|dhokha|fraud|scam) nah?in?/giu,
];

/**
 * Returns pages that complain or warn (scam, fraud, complaint, beware; English, Hindi, romanised Hindi) in
 * their title or snippet. Pages that only contain the value, such as a company's own site with its number,
 * are left out, and so are pages on the queried domain.
 */
export function complaintsAmong(pages: FoundPage[], entityValue: string): Complaint[] {
  const subject = entityValue.trim().toLowerCase();
  return pages
    .map((page) => ({ ...page, host: urlHost(page.url) }))
    .filter(({ host }) => !isOwnSite(host, subject))
    .filter((page) => complains(`${page.title}\n${page.snippet}`, subject))
    .map(({ host, published }) => ({
      host,
      published: Number.isNaN(Date.parse(published)) ? null : published,
    }));
}

function complains(said: string, subject: string): boolean {
  let text = plainText(said.slice(0, 4_000)).normalize('NFC').replace(/[’‘`]/g, "'");
  // The name of the queried domain is removed first, because scam-help.example proves nothing by its name.
  if (subject !== '') text = text.toLowerCase().replaceAll(subject, ' ');
  for (const phrase of NO_ACCUSATION) text = text.replace(phrase, ' ');
  return COMPLAINING.some((words) => words.test(text));
}

function isOwnSite(host: string, subject: string): boolean {
  const own = URL.canParse(subject) ? urlHost(subject) : subject.replace(/^www\./, '');
  return own !== '' && own.includes('.') && (host === own || host.endsWith(`.${own}`));
}

function urlHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
}

const DAY_MS = 86_400_000;
/** Maximum number of complaints that are listed with host and age. */
const NAMED = 5;

const NO_EVIDENCE = 'No evidence was collected.';

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
