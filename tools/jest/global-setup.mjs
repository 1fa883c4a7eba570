// Starts what tests share: one private Postgres and one private Redis for the whole run, and says where they
// are in CASEFILE_TEST_POSTGRES (superuser, database `postgres`) and CASEFILE_TEST_REDIS. Tests make databases
// and key prefixes of their own. When both variables are set already, those servers are used.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.mjs';

export default async function setup() {
  if (process.env.CASEFILE_TEST_POSTGRES && process.env.CASEFILE_TEST_REDIS) return;
  await build(['libs/contracts', 'libs/embedded']);
  const { startEmbeddedPostgres } = await import('../../libs/embedded/dist/index.js');
  const { startRedis } = await import('../../libs/embedded/dist/testing/index.js');
  const dir = await mkdtemp(join(tmpdir(), 'casefile-jest-'));
  const [postgres, redis] = await Promise.all([
    startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), durable: false, log: warnings }),
    startRedis({ dir: join(dir, 'redis') }),
  ]);
  process.env.CASEFILE_TEST_POSTGRES = postgres.url('postgres');
  process.env.CASEFILE_TEST_REDIS = redis.url;
  globalThis.casefileTestServers = { dir, postgres, redis };
}

const warnings = {
  debug() {},
  info() {},
  warn: (facts, message) => console.warn(message, facts),
  error: (facts, message) => console.error(message, facts),
  child: () => warnings,
};
