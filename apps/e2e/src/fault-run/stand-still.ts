import type { RunDocument } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import type { FiveServices } from '../testing/five-services.js';
import type { ServiceProcess } from '../testing/service-processes.js';
import { suspendProcess } from '../testing/suspend-process.js';
import { ended } from '../testing/world.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

/** The same run before and after a worker that stood still continued. */
export interface StoodStill {
  before: RunDocument;
  after: RunDocument;
}

/**
 * Stops a reasoner by SIGSTOP during its model call. Another one decides the case. Then the first one continues,
 * alone, and decides a further case.
 * @param standing Runs already. @param other Not started yet.
 */
export async function standStill(
  system: FiveServices,
  standing: ServiceProcess,
  other: ServiceProcess,
): Promise<StoodStill> {
  const text = 'Your parcel 010 7777 is held, pay at http://parcel.example now';
  const caseId = await system.alert({ playbook: 'scam-verdict', text });
  const calls = (): number =>
    system.simulator.requests().filter(({ body }) => JSON.stringify(body).includes('010 7777')).length;
  await until('the model is asked', () => calls() === 1);
  await suspendProcess(standing, system.store);
  await other.start();
  const before = (await ended(system, caseId, WHOLE_SYSTEM_MS)).runs[0]!;
  await other.signal('SIGTERM');
  process.kill(standing.pid!, 'SIGCONT');
  // Once another case is decided, the only reasoner has also reached the answer that it waited for.
  const next = await system.alert({
    playbook: 'scam-verdict',
    text: 'Hello, are we still on for lunch tomorrow?',
  });
  await ended(system, next, WHOLE_SYSTEM_MS);
  const after = (await system.store.record.getCase(caseId))!.runs[0]!;
  return { before, after };
}
