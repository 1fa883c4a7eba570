import type { AlertInput, EvidenceItem } from '../artifacts/index.js';
import type { Json, JsonObject } from '../json.js';

// This module also runs in the browser, so it imports no schema library.

/** The parts of a case that paths read. */
export interface DisplayedCase {
  alert: Pick<AlertInput, 'text' | 'payload'>;
  evidence: readonly Pick<EvidenceItem, 'toolName' | 'success' | 'given' | 'result'>[];
  /** Answer of the model or the rules. Before there is one: no fields. */
  answer: JsonObject;
  /** Outcome of the verdict. Before there is one: no fields. */
  outcome: JsonObject;
}

/** Returns the value at a path of a display; undefined: there is none. */
export function valueAt({ alert, evidence, answer, outcome }: DisplayedCase, path: string): Json | undefined {
  const [root = '', ...names] = path.split('.');
  if (root === 'text') return alert.text;
  if (root === 'payload') return valueIn(alert.payload, names);
  if (root === 'answer') return valueIn(answer, names);
  if (root === 'outcome') return valueIn(outcome, names);
  const [tool, ...rest] = names;
  // Evidence of the sender must not pass for what Casefile looked up.
  const results = evidence.filter(
    ({ toolName, success, given }) => toolName === tool && success && given !== true,
  );
  return results.map(({ result }) => valueIn(result, rest)).findLast((value) => value !== undefined);
}

/** Returns the value of nested names; undefined: there is none. Members of the prototype are no values. */
export function valueIn(value: Json | undefined, names: readonly string[]): Json | undefined {
  let at = value;
  for (const name of names) {
    if (!isFields(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** Returns a value as a text; null: it has none. Objects are written as JSON. */
export function valueText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && !isScalars(value)) return JSON.stringify(value);
  const text = Array.isArray(value)
    ? value.flatMap((one) => valueText(one) ?? []).join(', ')
    : String(value as string | number);
  return text.trim() === '' ? null : text.trim();
}

/** Returns a name in words: `knownDomain` and `known_domain` are `Known domain`, `generatorURL` is `Generator URL`. */
export function nameInWords(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word, i) => (i === 0 || /^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isScalars(value: Json): boolean {
  return Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null);
}

function isFields(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
