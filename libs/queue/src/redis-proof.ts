import { messageWithoutValues } from '@casefile/contracts';
import type { RedisAddress } from './redis-address.js';
import type { RedisClient } from './redis-clients.js';

/** What a Redis was found to be. */
export interface RedisProof {
  /** Why the queues can never work on it, with the remedy; null: they can. */
  fault: string | null;
  /** Whether the fault lasts until the next start, whatever the server answers later. */
  isFinal: boolean;
  /** Policy by which it deletes keys when its memory is full; null: it deletes none, or does not say. */
  evictionPolicy: string | null;
}

/** Oldest version whose commands the queues use. */
const OLDEST = [6, 2] as const;
const TWO_KEYS = "return { redis.call('exists', KEYS[1]), redis.call('exists', KEYS[2]) }";

/**
 * Proves what queues need of a Redis: its form is that of the URL, one script may use two keys, blocking reads are
 * allowed, and no other installation uses the same keys.
 * @param owner id of the installation's record; null: not known, so that others are not noticed.
 * @throws the error of the server if it cannot answer now, for example as a replica during a failover.
 */
export async function proveRedis(
  client: RedisClient,
  { form }: Pick<RedisAddress, 'form'>,
  prefix: string,
  owner: string | null,
): Promise<RedisProof> {
  const proven = { fault: null, isFinal: false, evictionPolicy: null };
  const server = await allowed('INFO', () => client.info('server'));
  if ('fault' in server) return { ...proven, fault: server.fault };
  const wrong = wrongForm(form, server.value) ?? tooOld(server.value);
  if (wrong !== null) return { ...proven, fault: wrong };
  const [first, second] = [`${prefix}:proof:1`, `${prefix}:proof:2`];
  const uses = [
    ['EVAL', () => client.eval(TWO_KEYS, 2, first, second)],
    ['BZPOPMIN', () => client.bzpopmin(first, 0.01)],
    ['XADD', () => client.xadd(first, 'NOMKSTREAM', 'MAXLEN', '~', '1', '*', 'proof', '1')],
  ] as const;
  for (const [command, use] of uses) {
    const used = await allowed(command, use);
    if ('fault' in used) return { ...proven, fault: used.fault };
  }
  const other = owner === null ? null : await otherOwner(client, prefix, owner);
  if (other !== null) return { ...proven, fault: other, isFinal: true };
  const memory = await allowed('INFO', () => client.info('memory'));
  const policy = 'fault' in memory ? '' : field(memory.value, 'maxmemory_policy');
  return { ...proven, evictionPolicy: policy === '' || policy === 'noeviction' ? null : policy };
}

/** Runs a command. Returns the fault if the server or its rights do not have the command. */
async function allowed<T>(command: string, use: () => Promise<T>): Promise<{ value: T } | { fault: string }> {
  try {
    return { value: await use() };
  } catch (error) {
    const why = messageWithoutValues(error);
    if (why.includes('NOPERM'))
      return { fault: `its user may not run ${command}, which the queues need (${why})` };
    if (/unknown command/i.test(why)) return { fault: `it does not have the command ${command} (${why})` };
    if (/CROSSSLOT|MOVED/.test(why)) return { fault: USE_CLUSTER };
    throw error;
  }
}

const USE_CLUSTER =
  'it is a node of a Redis Cluster. Write QUEUE_URL as redis+cluster://HOST:PORT,HOST:PORT (rediss+cluster for TLS)';

function wrongForm(form: RedisAddress['form'], info: string): string | null {
  const mode = field(info, 'redis_mode');
  if (mode === 'sentinel')
    return 'it is a Redis Sentinel, which keeps no data. Write QUEUE_URL as redis+sentinel://HOST:PORT,HOST:PORT/MASTER';
  if (mode === 'cluster') return form === 'cluster' ? null : USE_CLUSTER;
  return null;
}

function tooOld(info: string): string | null {
  const version = field(info, 'redis_version');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return version === '' || !isOld
    ? null
    : `it is version ${version}, and ${OLDEST.join('.')} is the oldest that works`;
}

/** Notes the owner of the keys if there is none. Returns the fault if there is another. */
async function otherOwner(client: RedisClient, prefix: string, owner: string): Promise<string | null> {
  const key = `${prefix}:installation`;
  await client.set(key, owner, 'NX');
  const found = await client.get(key);
  if (found === null || found === owner) return null;
  return `another installation of Casefile uses it (its record has the id ${found}, this one ${owner}). Give this one its own QUEUE_PREFIX and start it again; if the other no longer exists, delete the key ${key}`;
}

/** Returns a value of `INFO`; '' if it is not there. */
function field(info: string, name: string): string {
  const line = info.split('\n').find((one) => one.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim() ?? '';
}
