import { z, type Brief, type Evidence, type EvidenceItem } from '@casefile/contracts';
import { getDomain } from 'tldts';
import { inLine } from '../../plain-text.js';
import { messageSigns } from '../../text-signals/message-signs.js';
import { signInWords, TEXT_SIGNALS } from '../../text-signals/signals-found.js';
import type { ScamVerdictOptions } from './options.js';
import { hasReports, evidenceItemReading } from '../../scam/tool-readings.js';

/** What a sentence names of many. */
const NAMED = 5;

/**
 * Likeness to the words of scams from which a text without a sign is left to a person: of one that says what scams leave out
 * from a higher one on, for the words of true notices are those of the scams that copy them. By cross-validation (decision 0028).
 */
const LIKE_SCAMS_FROM = { other: 0.8, notice: 0.88 } as const;
const LIKENESS_FROM = { other: 0.75, notice: 0.92 } as const;

/** Read loosely: another release may have written it. */
const signalsSchema = z.object({
  signals: z.array(z.object({ kind: z.string() })),
  isRead: z.boolean().default(true),
  legitimacy: z.array(z.unknown()).default([]),
  nearestPatterns: z.array(z.object({ level: z.string() })).default([]),
  message_model: z.object({ score: z.number() }).nullable().default(null),
  /** Of a release before the message model; its bounds stay those of that release. */
  likeness: z.number().nullable().default(null),
});
type Signals = z.infer<typeof signalsSchema>;

/**
 * Why a low risk that the rules found, with no model to ask, is not dismissed: the text itself was not looked at or shows
 * signs of a scam, or it names something that no source has cleared. S1-17 (b).
 * @returns sentences; none when it may be dismissed.
 */
export function againstDismissal(
  { entities }: Pick<Brief, 'entities'>,
  { items }: Evidence,
  options: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
): string[] {
  const names = namesWithoutSource({ entities }, { items }, options);
  return [
    ...textSentence(ownItems(items)),
    ...(names === null ? [] : [`No source has cleared what the text names: ${names}.`]),
  ];
}

/** Returns what a text names and no source has cleared, as a list in words; null: there is none. */
export function namesWithoutSource(
  { entities }: Pick<Brief, 'entities'>,
  { items }: Evidence,
  options: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
): string | null {
  const ours = ownItems(items);
  const open = namedIn(entities).filter(
    (named) => !isCleared(named, ours, options) || isReported(named, items),
  );
  return open.length === 0 ? null : namesOf(open);
}

// Evidence that the sender supplied can contradict a dismissal, but never justify one.
const ownItems = (items: readonly EvidenceItem[]) => items.filter((item) => item.given !== true);

function textSentence(items: readonly EvidenceItem[]): string[] {
  const looked = items.filter(({ toolName, success }) => toolName === TEXT_SIGNALS && success);
  if (looked.length === 0) return ['The text itself was not looked at for signs of a scam.'];
  const read = looked.map(({ result }) => signalsSchema.safeParse(result));
  if (read.some(({ success }) => !success)) return ['What was found in the text itself cannot be read.'];
  const found = read.flatMap(({ data }) => data?.signals ?? []);
  const kinds = found.map(({ kind }) => signInWords({ kind, words: [] }));
  const isNear = read.some(({ data }) => data !== undefined && isNearAPattern(data));
  return [
    ...(read.some(({ data }) => data?.isRead === false)
      ? ['The text is in a language that the rules do not read.']
      : []),
    ...(kinds.length === 0 ? [] : [`The text itself shows signs of a scam: ${namesOf(kinds)}.`]),
    ...(isNear ? ['The text is close to a known scam pattern.'] : []),
    ...read.flatMap(({ data }) => (data === undefined ? [] : modelSentence(data))),
  ];
}

// True notices of banks, offices and carriers have the words of the scams that copy them: one that says what scams leave out
// (its own channel, a warning, no action needed) and shows no sign of one is near from a high likeness on.
function isNearAPattern(found: Signals): boolean {
  return found.nearestPatterns.some(
    ({ level }) => level === 'HIGH' || (level === 'MEDIUM' && !isNotice(found)),
  );
}

function isNotice({ signals, legitimacy }: Signals): boolean {
  return signals.length === 0 && legitimacy.length > 0;
}

function modelSentence(found: Signals): string[] {
  const bounds = found.message_model === null ? LIKENESS_FROM : LIKE_SCAMS_FROM;
  const score = found.message_model?.score ?? found.likeness;
  if (score === null || score < bounds[isNotice(found) ? 'notice' : 'other']) return [];
  return [`Its words are more like those of known scams than of harmless messages: ${score.toFixed(2)}.`];
}

/**
 * Why a low risk needs review where no kind was named for its alert and the text fits this one poorly, whatever judged it; none:
 * the kind was named or recognised, or the text speaks to a person.
 */
export function againstUnnamed({ chosenBy, text }: Pick<Brief, 'chosenBy' | 'text'>): string[] {
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
  /** As it stands in the text. */
  value: string;
  /** What it is looked up by; null: no source can clear it. */
  lookedUp: string | null;
}

/** The links, domains, phone numbers and payment handles of a text; a link is looked up by its domain. */
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
  options: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
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

/** S1-17: allow list, registration age, VirusTotal and the kind of phone number can clear; not found in a list of scams clears nothing. */
function clears(
  item: EvidenceItem,
  { domainClearedFromDays }: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
): boolean {
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
