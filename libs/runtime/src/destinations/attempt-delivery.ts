import { createHash, randomBytes } from 'node:crypto';
import {
  CasefileError,
  type CaseStore,
  type Clock,
  type PageLinks,
  type TakenDelivery,
  PAGE_KINDS,
  SEVERITIES,
} from '@casefile/contracts';
import type { GuardedPost } from '@casefile/evidence';
import { MASK, maskSecrets } from '@casefile/masking';
import { detectLanguage } from '@casefile/pipeline';
import type { ActiveDestination } from '../config/added-destinations.js';
import type { Compose, ComposePorts } from './compose-message.js';
import { OUTBOUND_FORMATS } from './formats.js';
import type { OutboundMessage } from './outbound-message.js';

export interface AttemptPorts extends ComposePorts {
  store: ComposePorts['store'] & Pick<CaseStore, 'destinations'> & { pageLinks: Pick<PageLinks, 'add'> };
  client: GuardedPost;
  clock: Clock;
}

interface AttemptResult {
  status: number | null;
  /** Reason of the failure; null: the attempt succeeded. */
  problem: string | null;
  retryAfterMs: number | null;
  /** The answer without secrets; null: none came. */
  response: string | null;
  message: OutboundMessage | null;
  /** Whether a failure counts against the destination; see `AttemptEnd`. */
  countsAsFailure: boolean;
}

/** The result of an attempt without an answer. */
const NOTHING = { status: null, retryAfterMs: null, response: null, message: null } as const;

/** Loads the HTTP client and the language identifier, which are otherwise loaded at the first attempt. */
export async function loadSending(client: Pick<GuardedPost, 'load'>): Promise<void> {
  await Promise.all([client.load(), detectLanguage('The checkout is down.')]);
}

/**
 * Composes the message of a delivery, posts it, and reads the answer. What the receiver wrote is returned without
 * secrets. Never fails.
 */
export async function attemptDelivery(
  ports: AttemptPorts,
  compose: Compose,
  destination: ActiveDestination,
  delivery: TakenDelivery,
): Promise<AttemptResult> {
  // A problem of its entry is our own text, which names the field and the variable.
  if (destination.problem !== null)
    return { ...NOTHING, problem: destination.problem, countsAsFailure: true };
  const { problem, response, ...result } = await attempt(ports, compose, destination, delivery);
  const link = result.message?.acknowledgeLink ?? null;
  const stored = (text: string | null) => (text === null ? null : storedAnswer(text, destination, link));
  return { ...result, problem: await stored(problem), response: await stored(response) };
}

async function attempt(
  ports: AttemptPorts,
  compose: Compose,
  destination: ActiveDestination,
  delivery: TakenDelivery,
): Promise<AttemptResult> {
  const { store, clock, client } = ports;
  const { name, allowPrivate } = destination;
  const format = OUTBOUND_FORMATS[destination.type];
  let message: OutboundMessage | null = null;
  let countsAsFailure = false;
  try {
    message = await compose(name, delivery);
    if (destination.acknowledgeLink === true) {
      const links = { links: store.pageLinks, consoleUrl: ports.consoleUrl };
      message = {
        ...message,
        acknowledgeLink: await newPageLink(links, name, delivery, message, clock.now()),
      };
    }
    const { caseId } = message;
    const thread =
      caseId === null || format.read === undefined ? null : await store.destinations.thread(name, caseId);
    countsAsFailure = true;
    const { url, ...request } = format.request(destination, message, thread, clock.now());
    const { status, retryAfterMs, text } = await client.post(url, request, allowPrivate);
    const answer = { status, retryAfterMs, response: text, message, countsAsFailure };
    if (status < 200 || status > 299) return { ...answer, problem: `HTTP ${status}` };
    const read = format.read?.(destination, text);
    if (read !== undefined && 'problem' in read) return { ...answer, problem: read.problem };
    countsAsFailure = false;
    if (read !== undefined && caseId !== null && thread === null)
      await store.destinations.keepThread(name, caseId, read.thread);
    return { ...answer, problem: null };
  } catch (error) {
    const problem = error instanceof CasefileError ? error.message : `unexpected: ${String(error)}`;
    return { ...NOTHING, message, problem, countsAsFailure };
  }
}

/** Waits before the attempts after the first one, in milliseconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const WAITS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];
/**
 * Largest share of a wait that is added or subtracted, so that receivers do not get all retries at the same
 * time.
 */
const JITTER = 0.2;
/** Longest wait that a receiver may request, in milliseconds. */
const MOST_RETRY_AFTER = 86_400_000;

/** Number of attempts of a delivery. */
export const MOST_ATTEMPTS = WAITS.length + 1;

/**
 * Returns the time of the next attempt after a failed attempt, in milliseconds since 1970; null: there is none.
 * @param done Attempts so far, at least 1.
 * @param retryAfterMs Wait that the receiver requested. A wait shorter than the planned one changes nothing.
 * @param random From 0 to 1.
 */
export function nextAttempt(
  done: number,
  now: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const wait = WAITS[done - 1];
  if (wait === undefined) return null;
  const plannedWait = wait * (1 - JITTER + 2 * JITTER * random);
  const requestedWait = Math.min(retryAfterMs ?? 0, MOST_RETRY_AFTER);
  return now + Math.round(Math.max(plannedWait, requestedWait));
}

/** Time in which a link can be used, in milliseconds. */
const LINK_MS = 3_600_000;
/** 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the digest by which a link is stored; null: the text is no token. */
export function pageLinkHash(token: string): string | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

/** Returns the path of the page of a link, in the console. */
const pageLinkPath = (token: string): string => `/acknowledge/${token}`;

/**
 * Creates the link of one attempt of a delivery. Only its digest is stored, so a later attempt gets another one.
 * @returns null: the message asks no person to act.
 */
export async function newPageLink(
  { links, consoleUrl }: { links: Pick<PageLinks, 'add'>; consoleUrl: string },
  destination: string,
  { id: deliveryId, runId }: Pick<TakenDelivery, 'id' | 'runId'>,
  { kind, caseId, verdict, severity }: Pick<OutboundMessage, 'kind' | 'caseId' | 'verdict' | 'severity'>,
  now: number,
): Promise<string | null> {
  const isPage = PAGE_KINDS.includes(kind) && verdict?.verdict.disposition !== 'dismiss';
  if (!isPage || caseId === null || runId === null) return null;
  const token = randomBytes(32).toString('base64url');
  const tokenHash = pageLinkHash(token)!;
  // A kind from outside may state any text as its severity.
  const known = SEVERITIES.find((one) => one === severity) ?? 'unknown';
  const link = { tokenHash, deliveryId, destination, caseId, runId, severity: known };
  await links.add({ ...link, expiresAt: now + LINK_MS }, now);
  return `${consoleUrl}${pageLinkPath(token)}`;
}

/** Shortest part of a destination in characters that counts as a secret. A shorter part may be a usual word. */
const SHORTEST_SECRET = 6;
/** Usual words of headers, which are no secrets. */
const USUAL =
  /^(?:[a-z]{2,20}\/[\w.+-]{2,60}|bearer|basic|token|digest|apikey|utf-8|https?|no-cache|close|gzip)$/i;

/** Parts of a destination that may contain secrets, with each `${NAME}` replaced. */
type SecretParts = Pick<ActiveDestination, 'url' | 'secret' | 'headers'>;

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
