import { join } from 'node:path';
import { pause, temporaryFolder, until } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { METRICS } from '@casefile/telemetry';
import { rollOut } from '../fault-run/roll-out.js';
import { FIVE_SERVICES, type FiveServices } from '../testing/five-services.js';
import { PATIENT_OF_RESTARTS } from '../testing/patient-settings.js';
import type { ServiceProcess } from '../testing/service-processes.js';
import { suspendProcess } from '../testing/suspend-process.js';
import { installation, judgeAll, withoutModel, type Installation } from './judging.js';
import type { Scenario, Site } from './scenario.js';

/** Duration of an answer of the model, in milliseconds. */
const CALL_MS = 1_500;
/** Longer than a lease. */
const FROZEN_MS = 10_000;
/** Largest share of two equal instances, in percent. */
const MOST_SHARE = 60;
/** Cases below which a share says nothing about the division. */
const ENOUGH_TO_DIVIDE = 100;

/** Services in processes of their own, with a model of 1.5 s, on a Redis. */
async function services(site: Site, names: (typeof FIVE_SERVICES)[number][]): Promise<Installation> {
  const redis = await startRedis({ dir: join(temporaryFolder('infrastructure'), 'redis') });
  site.onEnd(() => redis.stop());
  return installation(site, {
    services: names,
    queueUrl: redis.url,
    script: { delayMs: CALL_MS },
    settings: PATIENT_OF_RESTARTS,
  });
}

const calling = ({ store }: FiveServices) =>
  until('the model is asked', async () => {
    const pending = await store.database.rows(`select from llm_interactions where state = 'pending' limit 1`);
    return pending.length > 0;
  });

/** Returns the stages that a process ended, from its metrics. */
async function stagesOf({ url }: ServiceProcess, stage: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const name = METRICS.stageDuration.replaceAll('.', '_');
  const counts = text
    .split('\n')
    .filter((line) => line.startsWith(name) && line.includes('_count{') && line.includes(`stage="${stage}"`));
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function division({ services: all }: FiveServices, name: string, stage: string): Promise<number[]> {
  const instances = all.filter((one) => one.name === name);
  return Promise.all(instances.map((one) => stagesOf(one, stage)));
}

/** Failures of single services, and several instances of one. */
export const SERVICE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'workers-killed',
    what: 'reasoner and critic-writer are killed with -9 during calls of the model',
    refuses: null,
    run: async (site) => {
      const { system, receiver } = await services(site, [...FIVE_SERVICES]);
      return judgeAll(site, { system, receiver }, async () => {
        await calling(system);
        for (const name of ['reasoner', 'critic-writer'] as const) {
          await system.service(name).signal('SIGKILL');
          await system.service(name).start();
        }
      });
    },
  },
  {
    name: 'reasoner-frozen',
    what: 'one of two reasoners is frozen for 10 s (SIGSTOP) during calls of the model',
    refuses: null,
    run: async (site) => {
      const { system, receiver } = await services(site, [...FIVE_SERVICES, 'reasoner']);
      const outcome = await judgeAll(site, { system, receiver }, async () => {
        await calling(system);
        const reasoner = system.service('reasoner');
        await suspendProcess(reasoner, system.store);
        await pause(FROZEN_MS, 'the process is frozen');
        process.kill(reasoner.pid!, 'SIGCONT');
      });
      return withoutModel(system, outcome);
    },
  },
  {
    name: 'rolling-restart',
    what: 'all services are stopped and started in order, with hostile clients connected',
    refuses: null,
    run: async (site) => {
      const { system, receiver } = await services(site, [...FIVE_SERVICES]);
      const failed: string[] = [];
      const outcome = await judgeAll(site, { system, receiver }, async () => {
        await calling(system);
        failed.push(...(await rollOut(system.services)).failed);
      });
      return withoutModel(system, { ...outcome, failures: [...outcome.failures, ...failed] });
    },
  },
  {
    name: 'two-instances',
    what: 'two reasoners and two critic-writers share the cases',
    refuses: null,
    run: async (site) => {
      const { system, receiver } = await services(site, [...FIVE_SERVICES, 'reasoner', 'critic-writer']);
      const outcome = await judgeAll(site, { system, receiver });
      const shares = [
        await division(system, 'reasoner', 'reason'),
        await division(system, 'critic-writer', 'write'),
      ];
      const uneven = shares.filter((counts) => {
        const sum = counts.reduce((all, one) => all + one, 0);
        return sum >= ENOUGH_TO_DIVIDE && Math.max(...counts) > (sum * MOST_SHARE) / 100;
      });
      return {
        ...outcome,
        note: `reasoner ${shares[0]!.join(' : ')}, critic-writer ${shares[1]!.join(' : ')}`,
        failures: [...outcome.failures, ...uneven.map((counts) => `divided ${counts.join(' : ')}`)],
      };
    },
  },
];
