import { messageWithoutValues, type Logger } from '@casefile/contracts';
import { createRedisBackend } from 'bullmq';
import { readRedisAddress } from './redis-address.js';
import { openFamily, openSender, type RedisClient, type RedisTls } from './redis-clients.js';
import { proveRedis, type RedisProof } from './redis-proof.js';
import { PROOF_INTERVALS_MS } from './queue-options.js';
import { redisStalledJobs } from './redis-stalled-jobs.js';
import type { QueueStore } from './queue-store.js';
import { throttledErrors } from './throttled-errors.js';

/** BullMQ's default prefix. Autoscaling by backlog reads `bull:<queue>:wait`. */
const PREFIX = 'bull';

export interface RedisStoreOptions {
  log: Logger;
  /** Prefix of every key. In a cluster it is put into braces, so that all keys are in one slot. Default: `bull`. */
  prefix?: string;
  tls?: RedisTls;
  /** Id of the installation's record; null: not known. */
  owner?: string | null;
}

/**
 * Returns a function that returns why the connection of this client is lost; null: it is not. The first error
 * of an attempt names the cause. After a wrong password, Redis refuses each further command as unauthenticated.
 */
function reasonOfOutage(client: RedisClient): () => string | null {
  let why: string | null = null;
  let firstError: string | null = null;
  client.on('error', (error: Error) => (firstError ??= messageWithoutValues(lastNodeError(error))));
  client.on('close', () => {
    why = firstError ?? why ?? 'the connection is lost';
    firstError = null;
  });
  client.on('ready', () => {
    why = null;
    firstError = null;
  });
  return () => why;
}

/** A cluster reports that no node answers, and keeps the reason in a member. */
function lastNodeError(error: Error & { lastNodeError?: unknown }): Error {
  return error.lastNodeError instanceof Error ? error.lastNodeError : error;
}

/**
 * Opens Redis with one connection for the queues of a process and one for its workers, so that a long answer
 * on one does not delay the other. Each worker adds a blocking connection.
 * @throws InvalidInput for a URL that is none of a Redis.
 */
export function openRedisStore(url: string, options: RedisStoreOptions): QueueStore {
  const { log, tls = {}, owner = null } = options;
  const address = readRedisAddress(url);
  const plain = options.prefix ?? PREFIX;
  const prefix = address.form === 'cluster' ? `{${plain}}` : plain;
  const sending = openSender(address, tls);
  const working = openFamily(address, tls);
  const report = throttledErrors(log, 'redis');
  const lost = reasonOfOutage(sending);
  sending.on('error', report);
  working.client.on('error', report);
  const proof = new RepeatedProof(() => proveRedis(sending, address, prefix, owner), log);
  sending.on('ready', () => proof.begin());
  return {
    kind: 'redis',
    handle: sending,
    report,
    prefix,
    backend: (name, opts, how) => {
      const connection = how?.withBlockingConnection === true ? working.client : sending;
      return createRedisBackend(name, { ...opts, connection }, how);
    },
    unusable: () => proof.latest.fault,
    unavailable: () => lost() ?? proof.latest.fault,
    proven: proof.proven,
    evictionPolicy: () => proof.latest.evictionPolicy,
    stalled: redisStalledJobs(sending, prefix, report),
    claim: async (name, forMs) =>
      (await sending.set(`${prefix}:claim:${name}`, '', 'PX', forMs, 'NX')) === 'OK',
    probe: async () => void (await sending.ping()),
    close: async () => {
      proof.end();
      sending.disconnect();
      working.disconnectAll();
    },
  };
}

const NOT_PROVEN: RedisProof = { fault: null, isFinal: false, evictionPolicy: null };

/** Repeats a proof, and keeps its latest result. */
class RepeatedProof {
  latest = NOT_PROVEN;
  /** Resolves when the proof has succeeded once. */
  readonly proven: Promise<void>;
  private succeed: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private hasEnded = false;

  constructor(
    private readonly prove: () => Promise<RedisProof>,
    private readonly log: Logger,
  ) {
    this.proven = new Promise((resolve) => (this.succeed = resolve));
  }

  /** Proves now, and again at an interval: a server may be replaced or emptied while the connection stays. */
  begin(): void {
    clearTimeout(this.timer);
    if (!this.isRunning) void this.once();
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
  }

  private async once(): Promise<void> {
    this.isRunning = true;
    const found = await this.prove().catch(() => null);
    this.isRunning = false;
    if (this.hasEnded) return;
    if (found !== null) this.keep(found);
    if (this.latest.isFinal) return;
    const isGood = found !== null && found.fault === null;
    const wait = isGood ? PROOF_INTERVALS_MS.proven : PROOF_INTERVALS_MS.failed;
    this.timer = setTimeout(() => void this.once(), wait).unref();
  }

  private keep(found: RedisProof): void {
    const before = this.latest;
    this.latest = found;
    if (found.fault === null) this.succeed();
    const { evictionPolicy: policy } = found;
    if (policy !== null && policy !== before.evictionPolicy)
      this.log.warn(
        { policy },
        'this Redis deletes keys when its memory is full: set maxmemory-policy to noeviction',
      );
    if (found.fault !== null && found.fault !== before.fault)
      this.log.error({ why: found.fault }, 'the queues can never work on this Redis');
  }
}
