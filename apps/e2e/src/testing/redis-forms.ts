import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { freePort, startRedis, type RedisServer } from '@casefile/embedded/testing';
import { Redis } from 'ioredis';
import { makeCertificates } from './certificates.js';
import { ROOT } from './committed-versions.js';

/** Servers of one store, and the URL under which clients reach it. */
export interface RedisForm {
  url: string;
  /** `HOST:PORT` of each server, without the scheme. */
  places: string[];
  stop(): Promise<void>;
}

const placeOf = (port: number) => `127.0.0.1:${port}`;

/** Starts a Redis Cluster of three masters without replicas, each with a third of the slots. */
export async function startRedisCluster(): Promise<RedisForm> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const settings = { 'cluster-enabled': 'yes', 'cluster-node-timeout': 2_000 };
  const servers: RedisServer[] = [];
  for (const port of ports)
    servers.push(
      await startRedis({ dir: join(temporaryFolder('redis-cluster'), String(port)), port, settings }),
    );
  const nodes = ports.map((port) => new Redis(port));
  const share = Math.ceil(16_384 / nodes.length);
  for (const [i, node] of nodes.entries()) {
    await node.cluster('ADDSLOTSRANGE', i * share, Math.min((i + 1) * share, 16_384) - 1);
    await node.cluster('MEET', '127.0.0.1', String(ports[0]));
  }
  await until('the cluster is formed', async () => {
    const infos = await Promise.all(nodes.map((node) => node.cluster('INFO')));
    return infos.every((info) => String(info).includes('cluster_state:ok'));
  });
  for (const node of nodes) node.disconnect();
  const places = ports.map(placeOf);
  return {
    url: `redis+cluster://${places.join(',')}`,
    places,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** A master with one replica, and one sentinel that watches them. */
export interface RedisWithSentinel extends RedisForm {
  /** Kills the master, and waits until the replica is the master. */
  failOver(): Promise<void>;
}

/** Starts a master, its replica and a sentinel. `places` has the sentinel alone. */
export async function startRedisWithSentinel(): Promise<RedisWithSentinel> {
  const folder = temporaryFolder('redis-sentinel');
  const port = await freePort();
  const master = await startRedis({ dir: join(folder, 'master'), port });
  const follows = { replicaof: `127.0.0.1 ${port}` };
  const replica = await startRedis({ dir: join(folder, 'replica'), settings: follows });
  const asked = new Redis(replica.url);
  await until('the replica follows', async () =>
    (await asked.info('replication')).includes('master_link_status:up'),
  );
  const watching = await startRedis({ dir: join(folder, 'sentinel'), watches: { master: 'queues', port } });
  const { host } = new URL(watching.url);
  const sentinel = new Redis(watching.url);
  await until('the sentinel knows the replica', async () => {
    const [found] = (await sentinel.call('SENTINEL', 'REPLICAS', 'queues')) as unknown[];
    return found !== undefined;
  });
  return {
    url: `redis+sentinel://${host}/queues`,
    places: [host],
    failOver: async () => {
      await master.kill9();
      await until('the replica is the master', async () =>
        (await asked.info('replication')).includes('role:master'),
      );
    },
    stop: async () => {
      asked.disconnect();
      sentinel.disconnect();
      await Promise.all([watching, replica, master].map((server) => server.stop()));
    },
  };
}

/** A server over TLS, with a certificate of an own authority. It asks clients for one. */
export interface RedisWithTls extends RedisForm {
  /** Variables of a client that trusts the authority and has a certificate. */
  env: Record<'QUEUE_TLS_CA_FILE' | 'QUEUE_TLS_CERT_FILE' | 'QUEUE_TLS_KEY_FILE', string>;
}

/** Starts a Redis over TLS. */
export async function startRedisWithTls(): Promise<RedisWithTls> {
  const folder = temporaryFolder('redis-tls');
  const made = makeCertificates(folder);
  const port = await freePort();
  const settings = {
    port: 0,
    'tls-port': port,
    'tls-cert-file': made.cert,
    'tls-key-file': made.key,
    'tls-ca-cert-file': made.ca,
    'tls-auth-clients': 'yes',
  };
  const server = await startRedis({ dir: join(folder, 'redis'), port, settings, isEncrypted: true });
  return {
    url: `rediss://localhost:${port}`,
    places: [placeOf(port)],
    env: { QUEUE_TLS_CA_FILE: made.ca, QUEUE_TLS_CERT_FILE: made.cert, QUEUE_TLS_KEY_FILE: made.key },
    stop: () => server.stop(),
  };
}

/** Creates a user with the rights of the documentation, without some of them. Returns the URL with this user. */
export async function asDocumentedUser(
  url: string,
  name: string,
  without: readonly string[] = [],
): Promise<string> {
  const page = readFileSync(join(ROOT, 'docs/reference/redis.md'), 'utf8');
  const [, rights = ''] = /^ACL SETUSER casefile on >PASSWORD (.*)$/m.exec(page) ?? [];
  const admin = new Redis(url);
  try {
    await admin.call('ACL', 'SETUSER', name, 'on', '>hunter22', ...rights.split(' '), ...without);
  } finally {
    admin.disconnect();
  }
  return url.replace('redis://', `redis://${name}:hunter22@`);
}
