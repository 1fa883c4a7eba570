import { sleep } from '@casefile/contracts';
import type { Platform } from './platform.js';
import type { RunningService } from '../nest/service.js';

/** How long work under way may go on before it is told to stop at its next step. With the rest it stays under 20 s. */
const FINISH_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Stops in order: not ready and fetching nothing; work under way finishes, or stops at a step boundary and
 * gives its lease back; services and their workers; sweeper. Connections are the caller's, last.
 */
export async function stopServices(
  services: RunningService[],
  platform: Platform,
  finishWithinMs = FINISH_WITHIN_MS,
) {
  platform.log.info({ services: services.map((service) => service.name) }, 'stopping');
  await Promise.all(services.map((service) => service.pause()));
  await quiet(platform, finishWithinMs);
  platform.stages.stop();
  platform.toolCalls.stop();
  await platform.sweeper.stop();
  await Promise.all(services.map((service) => service.close()));
  platform.log.info({}, 'stopped');
}

async function quiet(platform: Platform, withinMs: number): Promise<void> {
  const until = platform.clock.now() + withinMs;
  while (platform.stages.active + platform.toolCalls.active > 0 && platform.clock.now() < until) {
    await sleep(LOOK_EVERY_MS);
  }
}
