import { isObject, type Json, type JsonObject } from '@casefile/contracts';

const MOST_PAIRS = 200;
/** Keys under which a list of names and values gives a name: `facts` of Teams, `fields` of Slack. */
const PAIR_NAMES = ['name', 'title', 'key', 'label'];

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Text of a key, or `''`. */
export function textIn(value: Json | undefined, key: string): string {
  const text = isObject(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : '';
}

/** Returns a list of names and values as one object; null: it is another list. */
export function pairsIn(value: Json): JsonObject | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const entries = value.slice(0, MOST_PAIRS).map((entry): [string, Json] | null => {
    if (!isObject(entry)) return null;
    const name = PAIR_NAMES.map((key) => entry[key]).find((one) => typeof one === 'string');
    const { value: own } = entry;
    return typeof name === 'string' && (typeof own === 'string' || typeof own === 'number')
      ? [name, own]
      : null;
  });
  const pairs = entries.filter((entry) => entry !== null);
  return pairs.length === entries.length ? Object.fromEntries(pairs) : null;
}
