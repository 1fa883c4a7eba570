import { MASK, maskSecrets } from '@casefile/masking';
import type { ActiveDestination } from '../config/added-destinations.js';

/** Shortest part of a destination in characters that counts as a secret. A shorter part may be a usual word. */
const SHORTEST_SECRET = 6;
/** Usual words of headers, which are no secrets. */
const USUAL =
  /^(?:[a-z]{2,20}\/[\w.+-]{2,60}|bearer|basic|token|digest|apikey|utf-8|https?|no-cache|close|gzip)$/i;

/** Parts of a destination that may contain secrets, with each `${NAME}` replaced. */
export type SecretParts = Pick<ActiveDestination, 'url' | 'secret' | 'headers'>;

/**
 * Returns the text of a receiver as it is stored: without the secrets of its destination, which some receivers repeat
 * in their answers, and without other secrets. A text that cannot be scanned becomes `[masked]`.
 * @param link single-use link that the message contained; null: none.
 */
export async function storedAnswer(
  text: string,
  destination: SecretParts,
  link: string | null,
): Promise<string> {
  const secrets = destinationSecrets(destination, link);
  const own = secrets.reduce((rest, secret) => withoutSecret(rest, secret), text);
  try {
    return (await maskSecrets(own)).text;
  } catch {
    return MASK;
  }
}

/** Returns the secrets of a destination in each spelling in which an answer may repeat them, the longest first. */
function destinationSecrets({ url, secret, headers = {} }: SecretParts, link: string | null): string[] {
  const values = [
    ...(secret === undefined ? [] : [secret, secret.replace(/^whsec_/, '')]),
    ...Object.values(headers).flatMap((value) => [
      value,
      ...value.split(/[\s,;=]+/),
      ...userAndPassword(value),
    ]),
    ...urlSecrets(url),
    ...(link === null ? [] : [link.slice(link.lastIndexOf('/') + 1)]),
  ].filter((value) => value.length >= SHORTEST_SECRET && !USUAL.test(value));
  const spellings = values.flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
  ]);
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

/** The path of a receiver may be a secret, as that of an incoming webhook of Slack. */
function urlSecrets(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { pathname, search, username, password, searchParams } = new URL(url);
  const path = pathname === '/' ? [] : [pathname + search, pathname.slice(1), decoded(pathname.slice(1))];
  const segments = pathname.split('/').filter((segment) => /\d/.test(segment) && segment.length >= 16);
  return [...path, ...segments, decoded(username), decoded(password), ...searchParams.values()];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns name and password of a value of basic authorization. */
function userAndPassword(value: string): string[] {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=_-]{4,4000})$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const plain = Buffer.from(encoded, 'base64').toString();
  return [plain, plain.slice(plain.indexOf(':') + 1)];
}

/** Replaces each occurrence, and the beginning of one that the end of the text cuts off. */
function withoutSecret(text: string, secret: string): string {
  const whole = text.replaceAll(secret, MASK);
  for (let length = Math.min(secret.length - 1, whole.length); length >= SHORTEST_SECRET; length -= 1)
    if (whole.endsWith(secret.slice(0, length))) return whole.slice(0, -length) + MASK;
  return whole;
}
