// Starts what tests share: one private Postgres and one private Redis for the whole run, and says where they
// are in CASEFILE_TEST_POSTGRES (superuser, database `postgres`) and CASEFILE_TEST_REDIS. Tests make databases
// and key prefixes of their own. A server whose variable is set already is used; without a Redis the specs that need one
// are left out (see outside-programs.mjs).
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.mjs';
import { leftOut } from './outside-programs.mjs';

export default async function setup() {
  // No test asks a public service, also not in the processes that it starts.
  process.env.RDAP_BASE_URL = 'off';
  const { CASEFILE_TEST_POSTGRES: postgresUrl, CASEFILE_TEST_REDIS: redisUrl } = process.env;
  const wantsRedis = !redisUrl && !leftOut().some(({ name }) => name === 'redis-server');
  if (postgresUrl && !wantsRedis) return;
  await build(['libs/contracts', 'libs/embedded']);
  const { startEmbeddedPostgres } = await import('../../libs/embedded/dist/index.js');
  const { startRedis } = await import('../../libs/embedded/dist/testing/index.js');
  const dir = await mkdtemp(join(tmpdir(), 'casefile-jest-'));
  const [postgres, redis] = await Promise.all([
    postgresUrl
      ? null
      : startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), durable: false, log: warnings }),
    wantsRedis ? startRedis({ dir: join(dir, 'redis') }) : null,
  ]);
  stopWhenKilled(dir, redis?.pid ?? '');
  if (postgres !== null) process.env.CASEFILE_TEST_POSTGRES = postgres.url('postgres');
  if (redis !== null) process.env.CASEFILE_TEST_REDIS = redis.url;
  globalThis.casefileTestServers = { dir, postgres, redis };
}

// A run that is interrupted or killed has no teardown: this watcher outlives it and does the same.
function stopWhenKilled(dir, redisPid) {
  const script = `
    while kill -0 ${process.pid} 2>/dev/null && [ -d "$0" ]; do sleep 1; done
    [ -d "$0" ] || exit 0
    [ -n "${redisPid}" ] && kill ${redisPid} 2>/dev/null
    [ -f "$0/postgres/postmaster.pid" ] && kill -INT "$(head -n 1 "$0/postgres/postmaster.pid")"
    while [ -f "$0/postgres/postmaster.pid" ]; do sleep 1; done
    rm -rf "$0"`;
  spawn('sh', ['-c', script, dir], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}

const warnings = {
  debug() {},
  info() {},
  warn: (facts, message) => console.warn(message, facts),
  error: (facts, message) => console.error(message, facts),
  child: () => warnings,
};
