import { Socket } from 'node:net';
import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.js';
import { REDIS_CONNECT_TIMEOUT_MS, redisRetryDelay } from './queue-options.js';

/** A connection to one server, or to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** Certificates of `rediss`, as PEM. */
export interface RedisTls {
  /** Authorities to trust in place of those of Node. */
  ca?: string;
  /** Certificate of this client. */
  cert?: string;
  key?: string;
}

const streams = new WeakMap<Redis, Socket>();
/**
 * ioredis listens for one error of a socket. A TLS handshake can fail twice: by our check of the certificate, and by
 * the alert that the server sends about our answer. The second error would end the process. So each socket that any
 * client gets, also a node of a cluster, has a further listener.
 */
Object.defineProperty(Redis.prototype, 'stream', {
  configurable: true,
  get(this: Redis) {
    return streams.get(this);
  },
  set(this: Redis, stream: Socket) {
    stream.on('error', () => undefined);
    streams.set(this, stream);
  },
});

/**
 * Writes all commands of one turn of the event loop to the socket in one write. Each write costs a system
 * call, here and in Redis.
 */
class GatheringRedis extends Redis {
  private isGathering = false;

  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    this.gather();
    return super.sendCommand(...given);
  }

  private gather(): void {
    const { stream } = this;
    if (this.isGathering || !(stream instanceof Socket)) return;
    this.isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}

/** A client with its duplicates. */
export interface RedisFamily {
  client: RedisClient;
  disconnectAll(): void;
}

/** Opens the client that sends. It connects immediately. */
export function openSender(address: RedisAddress, tls: RedisTls): RedisClient {
  return withoutPolicyWarning(
    address.form === 'cluster'
      ? new Cluster(address.nodes, clusterOptions(address, tls))
      : new GatheringRedis(singleOptions(address, tls)),
  );
}

/**
 * BullMQ reads the whole `INFO` of each connection, and writes plain text to the console about each policy that evicts.
 * The proof of the store reads the section `memory`, and logs the policy once.
 */
function withoutPolicyWarning<Client extends RedisClient>(client: Client): Client {
  const info = client.info.bind(client) as (...sections: string[]) => Promise<string>;
  const read = async (...sections: string[]) => {
    const text = await info(...sections);
    return sections.length > 0 ? text : text.replace(/^maxmemory_policy:.*$/m, 'maxmemory_policy:noeviction');
  };
  return Object.assign(client, { info: read });
}

/**
 * Opens the client that workers use. It connects when it is used. Each worker duplicates it for blocking calls, and
 * BullMQ releases a duplicate only when Redis answers. In an outage, a duplicate would keep reconnecting, and the
 * process would not end. So the duplicates are tracked.
 */
export function openFamily(address: RedisAddress, tls: RedisTls): RedisFamily {
  const lazy = { lazyConnect: true };
  const client =
    address.form === 'cluster'
      ? new Cluster(address.nodes, { ...clusterOptions(address, tls), ...lazy })
      : new Redis({ ...singleOptions(address, tls), ...lazy });
  withoutPolicyWarning(client);
  const members = [client];
  const duplicate = client.duplicate.bind(client) as (...given: unknown[]) => RedisClient;
  Object.assign(client, {
    duplicate: (...given: unknown[]) => {
      const copy = withoutPolicyWarning(duplicate(...given));
      members.push(copy);
      return copy;
    },
  });
  return { client, disconnectAll: () => members.forEach((member) => member.disconnect()) };
}

function singleOptions(address: RedisAddress, tls: RedisTls): Omit<RedisOptions, 'replyMapping'> {
  const { form, nodes, database, master, sentinelPassword } = address;
  const [{ host, port }] = nodes;
  const place: RedisOptions =
    form === 'sentinel'
      ? {
          sentinels: nodes,
          name: master,
          ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
          sentinelRetryStrategy: redisRetryDelay,
          // A sentinel that is gone must not delay the search for the master.
          sentinelMaxConnections: 1,
          ...(address.isEncrypted ? { enableTLSForSentinelMode: true, sentinelTLS: tls } : {}),
        }
      : { host, port };
  return {
    ...place,
    ...common(address, tls),
    db: database,
    retryStrategy: redisRetryDelay,
    // A limit would also fail BullMQ's own first command, and with it the queue permanently.
    maxRetriesPerRequest: null,
    // After a failover, an open connection may lead to a server that is a replica now. It is opened again, and the
    // command is sent again.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  };
}

function clusterOptions(address: RedisAddress, tls: RedisTls): ClusterOptions {
  return {
    clusterRetryStrategy: redisRetryDelay,
    redisOptions: { ...common(address, tls), maxRetriesPerRequest: null },
    // The certificate names hosts, so hosts are not resolved to addresses first.
    ...(address.isEncrypted ? { dnsLookup: (host, found) => found(null, host) } : {}),
  };
}

function common({ username, password, isEncrypted }: RedisAddress, tls: RedisTls) {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    connectTimeout: REDIS_CONNECT_TIMEOUT_MS,
    keepAlive: 10_000,
    ...(isEncrypted ? { tls: { ...tls } } : {}),
  };
}
