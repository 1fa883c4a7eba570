import { createGuardedPost } from '@casefile/evidence';
import { cachedFor } from '@casefile/contracts';
import { configuredFirst } from '../config/added-destinations.js';
import type { Adapters } from '../compose/platform.js';
import { ATTEMPT_TIMEOUT_MS, DestinationSender, RESPONSE_BYTES } from './destination-sender.js';

/** Time until a destination that was added or changed is in force, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Creates the sender of this process, which is the only one that reads the secrets of destinations.
 * @throws CasefileError `bad_configuration` that names each wrong variable.
 */
export function openDestinations(
  adapters: Pick<Adapters, 'config' | 'store' | 'clock' | 'log' | 'telemetry'>,
): DestinationSender {
  const { config, clock, store } = adapters;
  const configured = config.resolvedDestinations().map((one) => ({ ...one, problem: null }));
  const { consoleUrl } = config.settings.delivery;
  return new DestinationSender({
    ...adapters,
    destinations: cachedFor(FRESH_MS, async () => {
      const added = config.resolvedAdded(await store.destinations.added());
      return configuredFirst(configured, added);
    }),
    playbooks: config.playbooks,
    answerWithinHours: config.settings.reviews.answerWithinHours,
    consoleUrl: (consoleUrl ?? `http://${config.host}:${config.ports.console}`).replace(/\/$/, ''),
    client: createGuardedPost({ timeoutMs: ATTEMPT_TIMEOUT_MS, maxBytes: RESPONSE_BYTES, clock }),
    random: Math.random,
  });
}
