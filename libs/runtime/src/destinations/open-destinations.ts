import { createGuardedPost } from '@casefile/evidence';
import type { Adapters } from '../compose/platform.js';
import { ATTEMPT_TIMEOUT_MS, DestinationSender, RESPONSE_BYTES } from './destination-sender.js';

/**
 * Creates the sender of this process, which is the only one that reads the secrets of destinations.
 * @throws CasefileError `bad_configuration` that names each wrong variable.
 */
export function openDestinations(
  adapters: Pick<Adapters, 'config' | 'store' | 'clock' | 'ids' | 'log' | 'telemetry'>,
): DestinationSender {
  const { config, clock } = adapters;
  const { consoleUrl } = config.settings.delivery;
  return new DestinationSender({
    ...adapters,
    destinations: config.resolvedDestinations(),
    playbooks: config.playbooks,
    consoleUrl: (consoleUrl ?? `http://${config.host}:${config.ports.console}`).replace(/\/$/, ''),
    client: createGuardedPost({ timeoutMs: ATTEMPT_TIMEOUT_MS, maxBytes: RESPONSE_BYTES, clock }),
    random: Math.random,
  });
}
