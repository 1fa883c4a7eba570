import { CasefileError, isObject, type Json, type JsonObject } from '@casefile/contracts';
import { ARGUMENT_PLACE, type ArgumentValues, type WireValue } from './arguments.js';

/** The parts of an HTTP request in which arguments stand. */
interface PlacesOfRequest {
  get?: string | undefined;
  post?: string | undefined;
  query: Readonly<Record<string, string | number | boolean>>;
  body?: Json | undefined;
}

/** A request with its arguments in their places. */
export interface PlacedRequest {
  method: 'GET' | 'POST';
  /** Path and query below the base address, encoded. */
  path: string;
  body?: Json;
}

const WHOLE = /^\{([a-z][a-z0-9_]{0,30})\}$/;

/**
 * Puts checked arguments into their places. Each part of the path and of the query is encoded, and a body stays a JSON
 * value, so an argument cannot change the path around it, add a parameter, or add a field.
 * @throws CasefileError `invalid_arguments` for a part of the path that a URL would resolve: empty, `.` or `..`.
 */
export function placeArguments(
  { get, post, query, body }: PlacesOfRequest,
  values: ArgumentValues,
): PlacedRequest {
  const parts = (get ?? post ?? '').split('/').slice(1);
  const path = parts.map((part) => `/${pathPart(part, values)}`).join('');
  const search = new URLSearchParams();
  for (const [name, text] of Object.entries(query)) {
    const value = typeof text === 'string' ? filled(text, values) : text;
    if (value !== undefined) search.append(name, String(value));
  }
  const queryString = search.toString();
  const placed = {
    method: get === undefined ? ('POST' as const) : ('GET' as const),
    path: queryString === '' ? path : `${path}?${queryString}`,
  };
  return body === undefined ? placed : { ...placed, body: filledBody(body, values) ?? null };
}

function pathPart(part: string, values: ArgumentValues): string {
  if (!part.includes('{')) return part;
  const text = String(filled(part, values) ?? '');
  // A URL resolves `.` and `..` even if they are encoded.
  if (/^\.{0,2}$/.test(text))
    throw new CasefileError('invalid_arguments', `a part of the path is ${JSON.stringify(text)}`);
  return encodeURIComponent(text);
}

/** Returns a text with its arguments; undefined: one of them has no value, and the text is left out. */
export function filled(text: string, values: ArgumentValues): WireValue | undefined {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return values.get(whole);
  let isMissing = false;
  const result = text.replace(ARGUMENT_PLACE, (_place, name: string) => {
    const value = values.get(name);
    if (value === undefined) isMissing = true;
    return String(value ?? '');
  });
  return isMissing ? undefined : result;
}

/** Values without an argument are left out of objects and lists. */
function filledBody(value: Json, values: ArgumentValues): Json | undefined {
  if (typeof value === 'string') return filled(value, values);
  if (Array.isArray(value))
    return value.map((one) => filledBody(one, values)).filter((one): one is Json => one !== undefined);
  if (!isObject(value)) return value;
  const entries = Object.entries(value as JsonObject).map(
    ([key, one]) => [key, filledBody(one, values)] as const,
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
