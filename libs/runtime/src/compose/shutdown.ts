import { CasefileError, sleep } from '@casefile/contracts';
import type { Platform } from './platform.js';
import type { RunningService } from '../nest/service.js';
import { orLate } from '../process-end.js';

/**
 * Time after which a stop counts as hung, in milliseconds. It is shorter than the grace period of Kubernetes
 * and compose, which kill a process without a log entry.
 */
export const STOP_WITHIN_MS = 20_000;
/** Part of that time for stopping the services. The rest is for closing the connections. */
const SERVICES_STOP_WITHIN_MS = 15_000;
/** Time for running work before it must stop at its next step. */
const FINISH_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Stops like `stopServices`. @throws CasefileError `stop_timeout` if stopping takes too long. Open parts are
 * then logged.
 */
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
 * Stops in order. First the services stop fetching and report "not ready", and no batch starts more runs.
 * Bulk work stops after its current step and releases its lease. Live work finishes or does the same. Then
 * the sweeper stops, and last the services and their workers. The caller closes the connections afterwards.
 * @param onStep called with each step when it begins
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
