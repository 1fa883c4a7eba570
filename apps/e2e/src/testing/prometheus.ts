import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '@casefile/contracts/testing';
import { debianProgram, startServer } from './debian-program.js';

/** Job name, address and path of services to scrape, and files with alert rules. */
export interface PrometheusOptions {
  targets?: { job: string; address: string }[];
  ruleFiles?: string[];
  /** File whose content is sent as the access key. Default: no key is sent. */
  keyFile?: string;
  /** Earlier values in the format OpenMetrics. Default: none. */
  values?: string;
}

export interface Prometheus {
  url: string;
  /** Returns the series of an instant query: the labels of each, and its value. */
  query(expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  stop(): Promise<void>;
}

/**
 * Starts Debian's Prometheus on the loopback address. It scrapes itself and the targets every second. Returns
 * after the first scrape of each.
 */
export async function startPrometheus(options: PrometheusOptions = {}): Promise<Prometheus> {
  const { path } = debianProgram('prometheus');
  const server = await startServer(
    path,
    (port) => configOf(port, options),
    ({ config, data, port }) => {
      if (options.values !== undefined) storeValues(join(dirname(path), 'promtool'), options.values, data);
      return [
        `--config.file=${config}`,
        `--storage.tsdb.path=${data}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ];
    },
  );
  const query: Prometheus['query'] = async (expr) => {
    const answer = await fetch(`${server.url}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const body = (await answer.json()) as { error?: string; data: { result: [] } };
    if (!answer.ok) throw new Error(`${expr}: ${body.error}`);
    return body.data.result;
  };
  const scraped = 1 + (options.targets?.length ?? 0);
  try {
    await until('Prometheus has scraped its targets', async () => (await query('up == 1')).length >= scraped);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, query };
}

/** Writes values into the data folder of a Prometheus that does not run yet. */
function storeValues(promtool: string, values: string, data: string): void {
  const file = `${data}.openmetrics`;
  writeFileSync(file, values);
  execFileSync(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', file, data], { stdio: 'pipe' });
}

function configOf(port: number, { targets = [], ruleFiles = [], keyFile }: PrometheusOptions): object {
  const itself = { job: 'prometheus', address: `127.0.0.1:${port}` };
  return {
    global: { scrape_interval: '5s', evaluation_interval: '1s' },
    rule_files: ruleFiles,
    scrape_configs: [itself, ...targets].map(({ job, address }) => ({
      job_name: job,
      ...(keyFile === undefined ? {} : { authorization: { credentials_file: keyFile } }),
      static_configs: [{ targets: [address] }],
    })),
  };
}
