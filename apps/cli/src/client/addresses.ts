import { readConfig, type Config } from '@casefile/runtime';

/** Where the console and the intake of this configuration listen. */
export function addressesOf(config: Pick<Config, 'host' | 'ports'> = readConfig()): {
  console: string;
  ingest: string;
} {
  const at = (port: number): string =>
    `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  return { console: at(config.ports.console), ingest: at(config.ports.ingest) };
}
