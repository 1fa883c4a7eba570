import type { Config } from '@casefile/runtime';

/**
 * Where the console and the intake of this configuration listen. What reads the configuration is loaded only when it is
 * needed: with `--console` and `--ingest` it is not.
 */
export async function addressesOf(
  given?: Pick<Config, 'host' | 'ports'>,
): Promise<{ console: string; ingest: string }> {
  const { host, ports } = given ?? (await import('@casefile/runtime')).readConfig();
  const at = (port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { console: at(ports.console), ingest: at(ports.ingest) };
}
