import {
  CasefileError,
  type CaseStore,
  type Clock,
  type PageLinks,
  type TakenDelivery,
} from '@casefile/contracts';
import type { GuardedPost } from '@casefile/evidence';
import { detectLanguage } from '@casefile/pipeline';
import type { ActiveDestination } from '../config/added-destinations.js';
import type { Compose, ComposePorts } from './compose-message.js';
import { OUTBOUND_FORMATS } from './formats.js';
import type { OutboundMessage } from './outbound-message.js';
import { newPageLink } from './page-link.js';
import { storedAnswer } from './stored-answer.js';

export interface AttemptPorts extends ComposePorts {
  store: ComposePorts['store'] & Pick<CaseStore, 'destinations'> & { pageLinks: Pick<PageLinks, 'add'> };
  client: GuardedPost;
  clock: Clock;
}

export interface AttemptResult {
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
