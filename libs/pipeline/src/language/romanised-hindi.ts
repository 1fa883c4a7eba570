import table from './romanised-hindi.json' with { type: 'json' };

/**
 * Function words of Hindi as typed in Latin letters (Urdu in Latin letters shares most of them). Words that
 * other languages also have ("to", "me", "se", "hum", "do") are left out: they would make Spanish or Turkish
 * look like Hindi.
 */
const WORDS = new Set(table.common.split(' '));
/** Words that no other language in Latin letters spells this way, so fewer of them are enough. */
const TELLING = new Set(table.distinctive.split(' '));
/**
 * Share of such words from which a text of some length is Hindi; only a part of its Hindi words is in the
 * lists.
 */
const SHARE = 0.12;

/** Returns the certainty that Latin words are Hindi, 0..1. */
export function romanisedHindi(text: string): number {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  const hindiWords = words.filter((word) => WORDS.has(word));
  const distinct = new Set(hindiWords);
  const telling = [...distinct].some((word) => TELLING.has(word));
  const share = words.length === 0 ? 0 : hindiWords.length / words.length;
  const enough = (distinct.size >= 2 && (telling || share >= 0.3)) || (telling && words.length <= 4);
  if (!enough || share < SHARE) return 0;
  return Math.min(1, 0.5 + share + (telling ? 0.1 : 0));
}
