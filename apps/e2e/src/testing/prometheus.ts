import { setTimeout as pause } from 'node:timers/promises';
import { debianProgram, startServer } from './debian-program.js';

/** Timeout for a scrape that hangs. */
const SCRAPED_WITHIN_MS = 120_000;

/**
 * Starts Debian's Prometheus on the loopback address. It scrapes itself every second. Returns after the first
 * scrape.
 */
export async function startPrometheus(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startServer(debianProgram('prometheus').path, configOf, ({ config, data, port }) => [
    `--config.file=${config}`,
    `--storage.tsdb.path=${data}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ]);
  for (const until = Date.now() + SCRAPED_WITHIN_MS; !(await hasLooked(server.url)); await pause(100)) {
    if (Date.now() < until) continue;
    await server.stop();
    throw new Error('Prometheus did not look at itself');
  }
  return server;
}

function configOf(port: number): object {
  const itself = { job_name: 'prometheus', static_configs: [{ targets: [`127.0.0.1:${port}`] }] };
  return { global: { scrape_interval: '1s' }, scrape_configs: [itself] };
}

async function hasLooked(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v1/query?query=up`);
  const { data } = (await answer.json()) as { data: { result: unknown[] } };
  return data.result.length > 0;
}
