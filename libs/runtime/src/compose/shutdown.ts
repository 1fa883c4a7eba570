import { CasefileError, sleep } from '@casefile/contracts';
import type { Platform } from './platform.js';
import type { RunningService } from '../nest/service.js';
import { orLate } from '../process-end.js';

/** A stop that takes longer has hung: Kubernetes and compose would kill the process a little later without a word. */
export const STOP_WITHIN_MS = 20_000;
/** The rest is for the connections. */
const SERVICES_STOP_WITHIN_MS = 15_000;
/** How long running work may continue before it has to stop at its next step. */
const FINISH_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Stops as `stopServices` does. @throws CasefileError `stop_timeout` when it takes too long; what is still open is logged. */
export async function stopServicesInTime(services: RunningService[], platform: Platform): Promise<void> {
  let step = '';
  const stopping = stopServices(services, platform, FINISH_WITHIN_MS, (next) => (step = next));
  await orLate(stopping, SERVICES_STOP_WITHIN_MS, () => {
    const open = { step, stages: platform.stages.active, toolCalls: platform.toolCalls.active };
    platform.log.error(open, 'the stop takes too long: connections are closed under what is open');
    const message = `the services had not stopped after ${SERVICES_STOP_WITHIN_MS / 1000} s (still open: ${step}); the record has everything`;
    return new CasefileError('stop_timeout', message);
  });
}

/**
 * Stops in order: not ready, fetching nothing and opening no more runs of batches; bulk work stops at a step boundary and
 * gives its lease back, live work finishes or does the same; services and their workers; sweeper. Connections are the
 * caller's, last.
 * @param onStep Called with each step that begins.
 */
export async function stopServices(
  services: RunningService[],
  platform: Platform,
  finishWithinMs = FINISH_WITHIN_MS,
  onStep: (step: string) => void = () => undefined,
) {
  platform.log.info({ services: services.map((service) => service.name) }, 'stopping');
  platform.sweeper.halt();
  platform.stages.stopBulk();
  onStep('fetching of jobs');
  await Promise.all(services.map((service) => service.pause()));
  onStep('work under way');
  await quiet(platform, finishWithinMs);
  platform.stages.stop();
  platform.toolCalls.stop();
  onStep('sweeper');
  await platform.sweeper.stop();
  onStep('services');
  await Promise.all(services.map((service) => service.close()));
  platform.log.info({}, 'stopped');
}

async function quiet(platform: Platform, withinMs: number): Promise<void> {
  const until = platform.clock.now() + withinMs;
  while (platform.stages.active + platform.toolCalls.active > 0 && platform.clock.now() < until) {
    await sleep(LOOK_EVERY_MS);
  }
}
