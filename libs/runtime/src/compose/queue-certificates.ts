import { readFile } from 'node:fs/promises';
import { InvalidInput, messageWithoutValues } from '@casefile/contracts';
import type { QueueStoreOptions } from '@casefile/queue';
import type { Config } from '../config/read-config.js';

const FILES = { ca: 'QUEUE_TLS_CA_FILE', cert: 'QUEUE_TLS_CERT_FILE', key: 'QUEUE_TLS_KEY_FILE' } as const;

/**
 * Reads the certificates for `rediss` from the files that the environment names.
 * @throws InvalidInput that names the variable of a file that cannot be read, or that the URL does not use.
 */
export async function queueCertificates({
  env,
  queueUrl,
}: Pick<Config, 'env' | 'queueUrl'>): Promise<QueueStoreOptions['tls']> {
  const isEncrypted = queueUrl?.startsWith('rediss') === true;
  const parts = Object.entries(FILES).map(async ([part, variable]): Promise<[string, string][]> => {
    const path = env[variable];
    if (path === undefined) return [];
    if (!isEncrypted)
      throw refused(variable, 'expected a QUEUE_URL that begins with rediss, or no certificate');
    try {
      return [[part, await readFile(path, 'utf8')]];
    } catch (error) {
      throw refused(variable, `expected a file with PEM (${messageWithoutValues(error)})`);
    }
  });
  return Object.fromEntries((await Promise.all(parts)).flat());
}

const refused = (path: string, message: string): InvalidInput =>
  new InvalidInput([{ path, message }], 'configuration');
