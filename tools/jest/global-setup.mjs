// Starts what tests share: one private Postgres and one private Redis for the whole run, and says where they
// are in CASEFILE_TEST_POSTGRES (superuser, database `postgres`) and CASEFILE_TEST_REDIS. Tests make databases
// and key prefixes of their own. When both variables are set already, those servers are used.
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.mjs';

export default async function setup() {
  // No test asks a public service, also not in the processes that it starts.
  process.env.RDAP_BASE_URL = 'off';
  if (process.env.CASEFILE_TEST_POSTGRES && process.env.CASEFILE_TEST_REDIS) return;
  await build(['libs/contracts', 'libs/embedded']);
  const { startEmbeddedPostgres } = await import('../../libs/embedded/dist/index.js');
  const { startRedis } = await import('../../libs/embedded/dist/testing/index.js');
  const dir = await mkdtemp(join(tmpdir(), 'casefile-jest-'));
  const [postgres, redis] = await Promise.all([
    startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), durable: false, log: warnings }),
    startRedis({ dir: join(dir, 'redis') }),
  ]);
  stopWhenKilled(dir, redis.pid);
  process.env.CASEFILE_TEST_POSTGRES = postgres.url('postgres');
  process.env.CASEFILE_TEST_REDIS = redis.url;
  globalThis.casefileTestServers = { dir, postgres, redis };
}

// A run that is interrupted or killed has no teardown: this watcher outlives it and does the same.
function stopWhenKilled(dir, redisPid) {
  const script = `
    while kill -0 ${process.pid} 2>/dev/null && [ -d "$0" ]; do sleep 1; done
    [ -d "$0" ] || exit 0
    kill ${redisPid} 2>/dev/null
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
