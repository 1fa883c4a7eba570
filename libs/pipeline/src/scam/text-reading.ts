import { isObject, z, type Brief, type Evidence, type EvidenceItem } from '@casefile/contracts';
import { signalsFound, type SignalsFound } from '../text-signals/signals-found.js';
import { weighText, type KnownFacts } from '../text-signals/weigh-text.js';
import { evidenceOfMail, isCalm } from './mail-findings.js';
import { hasReports } from './tool-readings.js';

/**
 * Types of entities that a receiver may follow, call or pay. A text without such an entity requests no action. A
 * bare domain counts only with a hyphen or digit, because people omit the space after a full stop ("and send
 * you.my mom").
 */
const ACTED_ON = ['url', 'phone', 'crypto', 'payment'];

/** Matches of the look-up of known patterns, which is separate in some kinds. */
const matchesSchema = z.object({ matches: z.array(z.object({ level: z.string() })) });

/** Returns the entities of a text that its receiver may follow, call or pay. */
export function namesToAct({ entities }: Pick<Brief, 'entities'>): string[] {
  return [
    ...ACTED_ON.flatMap((type) => entities[type] ?? []),
    ...(entities['domain'] ?? []).filter((domain) => /[-\d]/.test(domain)),
  ];
}

/** Returns our own reading of the text; null: it was not read, or the sender of the alert supplied the reading. */
export function evidenceOfText({ items }: Evidence): { id: string; found: SignalsFound } | null {
  const [text] = items.flatMap((item) => {
    const signals = item.given === true ? null : signalsFound(item);
    return signals === null ? [] : [{ id: item.id, found: signals }];
  });
  return text ?? null;
}

/** Returns facts about a text other than its words: levels of similar patterns, and scam reports. */
export function knownOfText({ nearestPatterns }: SignalsFound, { items }: Evidence): KnownFacts {
  const matched = items.flatMap(({ success, given, result }) => {
    const read = success && given !== true ? matchesSchema.safeParse(result).data : undefined;
    return read?.matches.map(({ level }) => level) ?? [];
  });
  return {
    levels: [...nearestPatterns.map(({ level }) => level), ...matched],
    isReported: items.some(hasReports),
    ...mailKnown({ items }),
  };
}

/** Signs of a mail by which its reader would open something or answer. */
const ASKING = new Set([
  'answers_elsewhere',
  'answers_at_free_provider',
  'password_form',
  'attached_form',
  'attached_program',
  'attached_page',
  'writes_to_free_provider',
]);

/** Sign that no link leads to the domain of the sender. */
const ELSEWHERE = 'links_elsewhere';
/** Signs that newsletters have too. */
const COMMON = new Set(['sender_shows_site', 'answers_elsewhere']);
/** Signs that confirm the words if in addition no link leads to the domain of the sender. */
const STRANGE = new Set([
  'sender_unlike',
  'sender_hosted',
  'identifies_elsewhere',
  'hidden_receivers',
  'hidden_text',
  'suspicious_host',
]);
/** Number of different kinds of requests that confirm the signs in the words of a mail. */
const CONFIRMED_FROM = 2;
/** Weight of the words of a short mail that needs no other sign: four plain requests. */
const WORDS_SUFFICE_FROM = 4;

/** Returns the facts about a mail other than its words; empty: the text is no mail. */
export function mailKnown(evidence: Evidence): Pick<KnownFacts, 'mail'> {
  const findings = evidenceOfMail(evidence)?.found;
  if (findings === undefined) return {};
  const asks = findings.requests.length > 0 || findings.signals.some(({ kind }) => ASKING.has(kind));
  const strong = findings.signals.some(({ kind, weight }) => weight >= 1 && !COMMON.has(kind));
  // Long newsletters and discussions have phrases of several kinds by chance.
  const isPhrased = findings.form === 'mail' || !findings.isLong;
  const kinds = isPhrased ? findings.requests.filter(({ kind }) => kind !== 'asks_deadline').length : 0;
  const isStrange =
    findings.signals.some(({ kind }) => kind === ELSEWHERE) &&
    findings.signals.some(({ kind }) => STRANGE.has(kind));
  const words = evidenceOfText(evidence)?.found.weight ?? 0;
  const isPlain = !findings.isLong && findings.form === 'mail' && words >= WORDS_SUFFICE_FROM;
  return {
    mail: {
      weight: findings.weight,
      asks,
      isConfirmed: strong || isStrange || isPlain || kinds >= CONFIRMED_FROM,
      isCalm: isCalm(findings),
      isDigest: isCalm(findings) && findings.form === 'newsletter' && findings.isLong,
    },
  };
}

/**
 * Returns our own reading of the text, weighed with all that is known; null: the text was not read, or a release
 * without the message model read it.
 */
export function weighedText({ items }: Evidence) {
  const [text] = items.flatMap((item) => {
    const signals = hasMessageModel(item) ? signalsFound(item) : null;
    return signals === null ? [] : [{ evidenceId: item.id, found: signals }];
  });
  if (text === undefined) return null;
  return { ...text, whole: weighText(text.found, knownOfText(text.found, { items })) };
}

// Evidence that the sender supplied is not our own reading.
function hasMessageModel({ given, result }: EvidenceItem): boolean {
  return given !== true && isObject(result) && 'message_model' in result;
}
