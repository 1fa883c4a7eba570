import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';

/**
 * Runs `work` with the URL of a database on a private Postgres. The Postgres stops afterwards, even if this
 * process is ended.
 */
export async function withPostgres(work) {
  await build(['libs/contracts', 'libs/embedded']);
  const { startEmbeddedPostgres } = await import('../libs/embedded/dist/index.js');
  const dir = await mkdtemp(join(tmpdir(), 'casefile-tool-'));
  let server;
  const end = async () => {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void end().finally(() => process.exit(130)));
  try {
    server = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), durable: false, log: SILENT });
    return await work(server.url('postgres'));
  } finally {
    await end();
  }
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
