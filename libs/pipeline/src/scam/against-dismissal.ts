import { z, type Brief, type Evidence, type EvidenceItem } from '@casefile/contracts';
import { getDomain } from 'tldts';
import { correspondentDomains } from '../mail/correspondents.js';
import { inLine } from '../plain-text.js';
import { messageSigns } from '../text-signals/message-signs.js';
import { isReceiptOrCode, signalsFound, signInWords, TEXT_SIGNALS } from '../text-signals/signals-found.js';
import {
  isCalmMail,
  isLongNewsletter,
  isHarmlessForm,
  newsletterDomains,
  reasonsInMail,
} from './mail-findings.js';
import { hasReports, evidenceItemReading } from './tool-readings.js';

/** Option of the kinds that judge messages: age in days from which a registration clears a domain. */
export interface ClearingOptions {
  domainClearedFromDays: number;
}

/** Text with the entities that it names, and notes on how it was read. */
type NamingText = Pick<Brief, 'entities' | 'text' | 'notes'>;

/** Maximum number of values that a sentence names. */
const NAMED = 5;

/**
 * Limits from which a text without signs of a scam needs review: of the message model's score, and of the likeness
 * to known scams if there is no model score. The likeness is higher (`notice`) for a text with signs of a true notice,
 * because scams copy the words of true notices (decisions 0028 and 0139).
 */
const MODEL_SCORE_FROM = 0.88;
const WORD_LIKENESS_FROM = { other: 0.75, notice: 0.92 } as const;

/** Signs that every discussion and newsletter has: links, dates, topics. They are no requests. */
const IN_MAILS = new Set(['urges_click', 'topic', 'deadline', 'emotional', 'poses_authority']);
/** Further signs that single words of a long text cause, and the look of its links, which its form takes into account. */
const IN_LONG_MAILS = new Set([
  ...IN_MAILS,
  'suspicious_link',
  'threat',
  'legal_threat',
  'stranger',
  'prize',
  'easy_income',
  'poses_company',
  'poses_relative',
  'asks_money',
  'other_channel',
  'hidden_link',
  'trouble',
  'investment',
  'asks_fee',
  'poses_bank',
  'hook',
  'new_number',
  'remote_access',
  'lure',
  'untraceable',
  'asks_secret',
]);
const NONE: ReadonlySet<string> = new Set();
/** Findings that a text states a payment or a code, and requests something. */
const BESIDE_RECORD = new Set(['receipt_with_request', 'code_with_request']);
/** Notes that count as signs in a text with one of these findings. */
const FOR_MORE = new Set(['asks_secret', 'asks_documents', 'install', 'poses_authority', 'remote_access']);
/** Findings that a text states a completed act or a code, and requests nothing. */
const STATED = new Set(['states_done', 'receipt', 'code']);

/** Lenient schema, because another release may have written the value. */
const signalsSchema = z.object({
  signals: z.array(z.object({ kind: z.string() })),
  notes: z.array(z.object({ kind: z.string() })).default([]),
  isRead: z.boolean().default(true),
  legitimacy: z.array(z.object({ kind: z.string() })).default([]),
  nearestPatterns: z.array(z.object({ level: z.string() })).default([]),
  message_model: z.object({ score: z.number() }).nullable().default(null),
  /** Written only by releases before the message model. null: this release wrote `message_model`. */
  likeness: z.number().nullable().default(null),
});
type Signals = z.infer<typeof signalsSchema>;

/**
 * Returns the reasons against dismissing a low risk that rules found without a model: the text was not read, the
 * text shows signs of a scam, or the text names something that no source has cleared (S1-17 b).
 * @returns sentences; empty: the case may be dismissed.
 */
export function reasonsAgainstDismissal(
  brief: NamingText,
  { items }: Evidence,
  options: ClearingOptions,
): string[] {
  const found = ownItems(items)
    .map(signalsFound)
    .filter((one) => one !== null);
  const isCalm = isCalmMail({ items }) && found.every(({ isRead }) => isRead);
  // The numbers and hosts of a receipt name accounts and shops. A mail in a language that is not read may promise
  // anything of the sites that it cites.
  const names =
    found.some(isReceiptOrCode) || isCalm
      ? reportedNames(brief, { items })
      : namesWithoutSource(brief, { items }, options);
  return [
    ...reasonsInText({ items }),
    ...reasonsInMail({ items }),
    ...(names === null ? [] : [`No source has cleared what the text names: ${names}.`]),
  ];
}

/**
 * Returns the entities in a text that no source has cleared, as a list in words; null: there are none. The domains of
 * the correspondents of a mail, and of those who send a newsletter, count only if they were reported.
 */
export function namesWithoutSource(
  brief: NamingText,
  { items }: Evidence,
  options: ClearingOptions,
): string | null {
  const ours = ownItems(items);
  const uncleared = namedIn(brief.entities).filter(
    (named) => !isCleared(named, ours, options) || isReported(named, items),
  );
  if (uncleared.length === 0) return null;
  const domains = correspondentDomains(brief);
  const senders = new Set(newsletterDomains({ items }));
  const open = uncleared.filter(
    (named) => !(domains.has(named.value) || senders.has(named.lookedUp ?? '')) || isReported(named, items),
  );
  return open.length === 0 ? null : namesOf(open);
}

/** Returns whether a text names links, numbers or accounts, and a source has cleared each of them. */
export function areNamesCleared(brief: NamingText, { items }: Evidence, options: ClearingOptions): boolean {
  const named = namedIn(brief.entities);
  const ours = ownItems(items);
  return named.length > 0 && named.every((one) => isCleared(one, ours, options) && !isReported(one, items));
}

// Evidence that the sender supplied can contradict a dismissal, but never justify one.
const ownItems = (items: readonly EvidenceItem[]) => items.filter((item) => item.given !== true);

/** Returns the names on which there are scam reports, as a list in words; null: there are none. */
function reportedNames(brief: NamingText, { items }: Evidence): string | null {
  const reported = namedIn(brief.entities).filter((named) => isReported(named, items));
  return reported.length === 0 ? null : namesOf(reported);
}

function reasonsInText({ items }: Evidence): string[] {
  const looked = ownItems(items).filter(({ toolName, success }) => toolName === TEXT_SIGNALS && success);
  if (looked.length === 0) return ['The text itself was not looked at for signs of a scam.'];
  const read = looked.map(({ result }) => signalsSchema.safeParse(result));
  if (read.some(({ success }) => !success)) return ['What was found in the text itself cannot be read.'];
  const isCalm = isCalmMail({ items });
  const ignored = !isCalm ? NONE : isLongNewsletter({ items }) ? IN_LONG_MAILS : IN_MAILS;
  const signals = read.flatMap(({ data }) => data?.signals ?? []).filter(({ kind }) => !ignored.has(kind));
  const kinds = signals.map(({ kind }) => signInWords({ kind, words: [] }));
  const asksBesideRecord = read.some(({ data }) => data !== undefined && asksForMore(data));
  const isNear = read.some(({ data }) => data !== undefined && isNearAPattern(data));
  return [
    ...(read.some(({ data }) => data?.isRead === false) && !isHarmlessForm({ items })
      ? ['The text is in a language that the rules do not read.']
      : []),
    ...(kinds.length === 0 ? [] : [`The text itself shows signs of a scam: ${namesOf(kinds)}.`]),
    ...(asksBesideRecord
      ? ['The text states a payment or a code, and asks for more: false notices do that.']
      : []),
    ...(read.some(({ data }) => data?.notes.some(({ kind }) => kind === 'number_to_deny'))
      ? ['The text gives a telephone number to those who did not pay, and no source says whose it is.']
      : []),
    ...(isNear ? ['The text is close to a known scam pattern.'] : []),
    // The message model has not learned newsletters: their words are like those of advertising.
    ...(isCalm || newsletterDomains({ items }).length > 0
      ? []
      : read.flatMap(({ data }) => (data === undefined ? [] : modelSentence(data)))),
  ];
}

// True notices of banks, offices and carriers share words with the scams that copy them. A text without signs
// that has features of a notice (its own channel, a warning, no action needed) therefore counts as similar
// only from a higher likeness.
function isNearAPattern(signals: Signals): boolean {
  return signals.nearestPatterns.some(
    ({ level }) => level === 'HIGH' || (level === 'MEDIUM' && !isNotice(signals)),
  );
}

/** Returns whether a payment or code is stated with words that ask for a secret or speak as an authority, however weak. */
function asksForMore({ notes, legitimacy }: Signals): boolean {
  return (
    legitimacy.some(({ kind }) => BESIDE_RECORD.has(kind)) && notes.some(({ kind }) => FOR_MORE.has(kind))
  );
}

function isNotice({ signals, legitimacy }: Signals): boolean {
  return signals.length === 0 && legitimacy.length > 0;
}

function modelSentence(signals: Signals): string[] {
  // The words of a true notice of a completed act are no signs of a scam.
  if (isNotice(signals) && signals.legitimacy.some(({ kind }) => STATED.has(kind))) return [];
  const score = signals.message_model?.score ?? signals.likeness;
  if (score === null || score < scoreLimit(signals)) return [];
  return [`Its words are more like those of known scams than of harmless messages: ${score.toFixed(2)}.`];
}

function scoreLimit(signals: Signals): number {
  if (signals.message_model !== null) return MODEL_SCORE_FROM;
  return WORD_LIKENESS_FROM[isNotice(signals) ? 'notice' : 'other'];
}

/**
 * Returns the reasons why a low risk needs review if the alert named no kind and the text hardly fits this kind.
 * Empty: the alert named the kind, the kind recognised the text, or the text addresses a person.
 */
export function reasonsAgainstUnnamedKind({ chosenBy, text }: Pick<Brief, 'chosenBy' | 'text'>): string[] {
  if (chosenBy?.rule !== 'order') return [];
  const { others = [], why } = chosenBy;
  if (others.length > 0)
    return [`No playbook was named, and the text also fits ${namesOf(others)}: ${inLine(why, 400)}`];
  if (messageSigns(text).size > 0) return [];
  return [
    'No playbook was named, and the text shows no sign of a message to a person: no greeting, addressee, request, link, number or offer.',
  ];
}

interface NamedEntity {
  /** The value as written in the text. */
  value: string;
  /** The value that tools look up; null: no source can clear it. */
  lookedUp: string | null;
}

/**
 * Returns the links, domains, phone numbers and payment handles of a text. A link is queried by its domain.
 */
function namedIn(entities: Brief['entities']): NamedEntity[] {
  const of = (type: string) => entities[type] ?? [];
  const links = of('url').map((value) => ({ value, lookedUp: getDomain(value)?.toLowerCase() ?? null }));
  const plain = [...of('domain'), ...of('phone')];
  return [
    ...links,
    ...plain.map((value) => ({ value, lookedUp: value.toLowerCase() })),
    ...[...of('payment'), ...of('crypto')].map((value) => ({ value, lookedUp: null })),
  ];
}

function isCleared(
  { lookedUp }: NamedEntity,
  items: readonly EvidenceItem[],
  options: ClearingOptions,
): boolean {
  if (lookedUp === null) return false;
  return itemsAbout(lookedUp, items).some((item) => clears(item, options));
}

function isReported({ lookedUp }: NamedEntity, items: readonly EvidenceItem[]): boolean {
  return lookedUp !== null && itemsAbout(lookedUp, items).some(hasReports);
}

function itemsAbout(lookedUp: string, items: readonly EvidenceItem[]): EvidenceItem[] {
  return items.filter(({ success, entityValue }) => success && entityValue.toLowerCase() === lookedUp);
}

/**
 * Returns whether a result clears an entity (S1-17). An allow list, the age of a registration, VirusTotal and
 * the type of a phone number can clear. Absence from a list of scams cannot.
 */
function clears(item: EvidenceItem, { domainClearedFromDays }: ClearingOptions): boolean {
  const reading = evidenceItemReading(item);
  if (reading.kind === 'phone')
    return !reading.suspicious && reading.numberType !== '' && reading.numberType.toLowerCase() !== 'unknown';
  if (reading.kind !== 'domain' || reading.riskLevel !== 'low') return false;
  const isOld = reading.ageDays !== null && reading.ageDays >= domainClearedFromDays;
  return reading.listed === 'allow' || isOld || reading.malicious === 0;
}

function namesOf(values: readonly { value: string }[] | readonly string[]): string {
  const names = values.map((one) => inLine(typeof one === 'string' ? one : one.value, 80));
  const distinct = [...new Set(names)];
  const more = distinct.length > NAMED ? ` and ${distinct.length - NAMED} more` : '';
  return `${distinct.slice(0, NAMED).join(', ')}${more}`;
}
