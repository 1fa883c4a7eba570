// Starts the shared parts of a test run: a private Postgres, a private Redis and a folder for temporary
// files. Their URLs are in CASEFILE_TEST_POSTGRES (superuser, database `postgres`) and CASEFILE_TEST_REDIS.
// Specs create their own databases and key prefixes. If a variable is already set, its server is used
// instead. Without a Redis, the specs that need one are skipped (see outside-programs.mjs). Everything is
// removed after the run, even if it was killed: see end-run.mjs.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../build.mjs';
import { leftOut } from './outside-programs.mjs';
import { warnings } from './worker-postgres.mjs';

export default async function setup() {
  // No test calls a public service, nor do the processes that it starts.
  process.env.RDAP_BASE_URL = 'off';
  const dir = mkdtempSync(join(tmpdir(), 'casefile-jest-'));
  const folder = join(dir, 't');
  mkdirSync(folder);
  // The embedded Postgres may run as another user, who must be able to reach its data.
  chmodSync(dir, 0o711);
  chmodSync(folder, 0o1777);
  endRunAfterThisProcess(dir);
  // Inherited by every process that a spec starts, so that end-run.mjs recognises the process.
  process.env.TMPDIR = folder;
  globalThis.casefileTestServers = await startServers(dir);
}

async function startServers(dir) {
  const { CASEFILE_TEST_POSTGRES: postgresUrl, CASEFILE_TEST_REDIS: redisUrl } = process.env;
  const needsRedis = !redisUrl && !leftOut().some(({ name }) => name === 'redis-server');
  if (postgresUrl && !needsRedis) return [];
  await build(['libs/contracts', 'libs/embedded', 'libs/store']);
  const { startEmbeddedPostgres } = await import('../../libs/embedded/dist/index.js');
  const { startRedis } = await import('../../libs/embedded/dist/testing/index.js');
  const [postgres, redis] = await Promise.all([
    postgresUrl
      ? null
      : startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), durable: false, log: warnings }),
    needsRedis ? startRedis({ dir: join(dir, 'redis') }) : null,
  ]);
  if (postgres !== null) {
    process.env.CASEFILE_TEST_POSTGRES = postgres.url('postgres');
    process.env.CASEFILE_TEST_POSTGRES_PID = String(postgres.pid);
  }
  if (redis !== null) process.env.CASEFILE_TEST_REDIS = redis.url;
  return [postgres, redis].filter((server) => server !== null);
}

function endRunAfterThisProcess(dir) {
  const program = fileURLToPath(new URL('./end-run.mjs', import.meta.url));
  const args = [program, String(process.pid), dir];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}
