import { isObject, z, type Brief, type Evidence, type EvidenceItem } from '@casefile/contracts';
import { signalsFound, type SignalsFound } from '../text-signals/signals-found.js';
import { weighText, type KnownFacts } from '../text-signals/weigh-text.js';
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
    const found = item.given === true ? null : signalsFound(item);
    return found === null ? [] : [{ id: item.id, found }];
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
  };
}

/**
 * Returns our own reading of the text, weighed with all that is known; null: the text was not read, or a release
 * without the message model read it.
 */
export function weighedText({ items }: Evidence) {
  const [text] = items.flatMap((item) => {
    const found = hasMessageModel(item) ? signalsFound(item) : null;
    return found === null ? [] : [{ evidenceId: item.id, found }];
  });
  if (text === undefined) return null;
  return { ...text, whole: weighText(text.found, knownOfText(text.found, { items })) };
}

// Evidence that the sender supplied is not our own reading.
function hasMessageModel({ given, result }: EvidenceItem): boolean {
  return given !== true && isObject(result) && 'message_model' in result;
}
