import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis, type RedisServer } from '@casefile/embedded/testing';
import type { FiveServices } from '@casefile/e2e/testing/five-services';
import { testDatabase } from '@casefile/store/testing';
import type { ProofContext } from '../proof.js';
import { proofServices } from './system.js';

/** Services in processes of their own, with a Redis and a record that proofs can disturb. */
export interface RedisServices {
  redis: RedisServer;
  databaseUrl: string;
  system: FiveServices;
}

interface Started extends RedisServices {
  close(): Promise<void>;
}

/** The services that short proofs of this process share, since a start takes most of their time. */
let shared: Promise<Started> | null = null;

interface RedisServicesOptions {
  modelMs: number;
  /** One model call at a time. Always set in the short form. */
  oneCall: boolean;
  /** Whether the short form has a process for all services, which it does not share. Default: a process each. */
  shortInOneProcess?: boolean;
}

/**
 * Runs a proof on services with a Redis. Short proofs of one process share them, so the record can have cases
 * of an earlier proof.
 */
export async function onRedisServices<T>(
  context: ProofContext,
  options: RedisServicesOptions,
  work: (services: RedisServices) => Promise<T>,
): Promise<T> {
  const isAlone = options.shortInOneProcess === true;
  const own = context.short && !isAlone ? null : await start(context, options);
  try {
    const services = own ?? (await (shared ??= start(context, { ...options, oneCall: true })));
    services.system.simulator.setScript({ delayMs: options.modelMs });
    return await work(services);
  } catch (error) {
    // The next proof does not start with what this one has broken.
    await closeShared();
    throw error;
  } finally {
    await own?.close();
  }
}

/** Ends the shared services. Call it after the last proof of a process. */
export async function closeShared(): Promise<void> {
  const services = shared;
  shared = null;
  await services?.then(
    (started) => started.close(),
    () => undefined,
  );
}

async function start(context: ProofContext, how: RedisServicesOptions): Promise<Started> {
  const { oneCall, shortInOneProcess } = how;
  const redis = await startRedis({ dir: join(temporaryFolder('services'), 'redis') });
  const database = await testDatabase();
  const settings = oneCall ? { concurrency: { reason: { live: 1, bulk: 1 } } } : {};
  const options = { databaseUrl: database.url, queueUrl: redis.url, modelMs: 0, settings };
  const layout = context.short && shortInOneProcess === true ? ('one process' as const) : undefined;
  const system = await proofServices(context, { ...options, layout });
  return {
    redis,
    databaseUrl: database.url,
    system,
    close: async () => {
      await system.close();
      await database.drop();
      await redis.stop();
    },
  };
}
