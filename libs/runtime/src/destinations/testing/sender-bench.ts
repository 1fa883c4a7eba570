import { noTelemetry, silentLogger, verdictSchema, type VerdictMessage } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import type { GuardedPost, PostAnswer } from '@casefile/evidence';
import { playbooks } from '@casefile/shipped/loaded';
import type { PostgresStore } from '@casefile/store';
import type { ConfiguredDestination } from '../../config/destination-settings.js';
import { DestinationSender } from '../destination-sender.js';

const verdict = verdictSchema.parse({
  outcome: { riskLevel: 'high', severity: 'critical' },
  disposition: 'act',
  confidence: 0.9,
  confidenceSource: 'llm',
  method: 'llm',
  reasons: ['It asks for a password.'],
  citations: [],
  degraded: false,
  decidedAt: '2026-01-05T10:00:00.000Z',
});
/** Returns the n-th id. */
export const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
/** A run that the record does not have, so that its messages cannot be composed. */
export const UNKNOWN_RUN = id(404);
/** Returns the verdict of run n. */
export const message = (n: number, caseNumber = n): VerdictMessage & { lane: 'live' } => ({
  deliveryId: `verdict-${n}`,
  caseId: id(caseNumber),
  runId: id(n),
  playbook: 'scam-verdict',
  lane: 'live',
  verdict,
});
/** Returns a webhook of this name. */
export const hook = (name: string, over: Partial<ConfiguredDestination> = {}): ConfiguredDestination => ({
  name,
  type: 'webhook',
  url: `https://${name}.example/in`,
  when: {},
  allowPrivate: false,
  ...over,
});
/** Decides how a receiver answers. */
export type Answer = (post: {
  host: string;
  id: string;
  runId: string;
  /** The request as the receiver got it. */
  request: { url: string; headers: Readonly<Record<string, string>>; body: string };
}) => PostAnswer | Promise<PostAnswer>;
/** Returns an answer of this status. */
export const status = (code: number, retryAfterMs: number | null = null): PostAnswer => ({
  status: code,
  retryAfterMs,
  text: `${code}`,
});

/** A sender over the real record, with receivers that answer by `answer` and a clock that the test moves. */
export function senderBench(
  store: PostgresStore,
  destinations: ConfiguredDestination[],
  answer: Answer,
  clock = manualClock(),
) {
  const received: { host: string; id: string; runId: string; at: number }[] = [];
  let loads = 0;
  const client: GuardedPost = {
    load: async () => void (loads += 1),
    post: async (url, { body, headers }) => {
      // Formats other than the webhook have no ids.
      const { data } = JSON.parse(body) as { data?: { deliveryId: string; runId: string } };
      const post = { host: new URL(url).hostname, id: data?.deliveryId ?? '', runId: data?.runId ?? '' };
      received.push({ ...post, at: clock.now() });
      return answer({ ...post, request: { url, headers, body } });
    },
    close: async () => undefined,
  };
  const sender = new DestinationSender({
    store: {
      destinations: store.destinations,
      engagements: store.engagements,
      silences: store.silences,
      pageLinks: store.pageLinks,
      storms: store.storms,
      deliveries: {
        of: async (runId) =>
          runId === UNKNOWN_RUN ? null : { ...message(Number(runId.slice(-12))), verdict: { ...verdict } },
      },
      record: {
        getRun: async () => ({ artifacts: [] }) as never,
        resolvedAt: async () => null,
      },
    },
    playbooks,
    consoleUrl: 'https://casefile.example',
    destinations: async () => destinations.map((one) => ({ problem: null, ...one })),
    client,
    clock,
    answerWithinHours: { default: 24 },
    random: () => 0.5,
    log: silentLogger,
    telemetry: noTelemetry,
  });
  /** Lets time pass in steps, with a look at the record after each. */
  const pass = async (ms: number, step = ms) => {
    for (let remainingMs = ms; remainingMs > 0; remainingMs -= step) {
      clock.advance(Math.min(step, remainingMs));
      await sender.tick();
      await sender.idle();
    }
  };
  const states = async () => (await store.destinations.states(destinations.map(({ name }) => name)))[0]!;
  const deliveries = async (limit = 500) => (await store.destinations.list({ limit })).deliveries;
  return { sender, received, clock, pass, states, deliveries, store, loads: () => loads };
}
