import { createGuardedPost } from '@casefile/evidence';
import type { AddedDestination } from '@casefile/contracts';
import { configuredFirst } from '../config/added-destinations.js';
import type { Adapters } from '../compose/platform.js';
import { ATTEMPT_TIMEOUT_MS, DestinationSender, RESPONSE_BYTES } from './destination-sender.js';

/**
 * Creates the sender of this process, which is the only one that reads the secrets of destinations.
 * @param added Returns the destinations that were added on the page.
 * @throws CasefileError `bad_configuration` that names each wrong variable.
 */
export function openDestinations(
  adapters: Pick<Adapters, 'config' | 'store' | 'clock' | 'log' | 'telemetry'>,
  added: () => readonly AddedDestination[],
): DestinationSender {
  const { config, clock } = adapters;
  const configured = config.resolvedDestinations().map((one) => ({ ...one, problem: null }));
  const resolvedFrom = (from: readonly AddedDestination[]) => ({
    from,
    destinations: configuredFirst(configured, config.resolvedAdded(from)),
  });
  let resolved = resolvedFrom(added());
  const { consoleUrl } = config.settings.delivery;
  return new DestinationSender({
    ...adapters,
    destinations: async () => {
      if (added() !== resolved.from) resolved = resolvedFrom(added());
      return resolved.destinations;
    },
    playbooks: config.playbooks,
    answerWithinHours: config.settings.reviews.answerWithinHours,
    consoleUrl: (consoleUrl ?? `http://${config.host}:${config.ports.console}`).replace(/\/$/, ''),
    client: createGuardedPost({ timeoutMs: ATTEMPT_TIMEOUT_MS, maxBytes: RESPONSE_BYTES, clock }),
    random: Math.random,
  });
}
